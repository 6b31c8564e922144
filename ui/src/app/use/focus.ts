// What has the focus loses it while it is disabled or when it goes: whoever uses keys goes on from it.

import { nextTick } from "vue";

/** Remembers what has the focus; what it gives puts it there again, unless it went elsewhere. */
export function rememberFocus(): () => Promise<void> {
  const had = document.activeElement;
  return async () => {
    await nextTick();
    if (isFocusLost() && had instanceof HTMLElement && had.isConnected)
      had.focus({ preventScroll: true });
  };
}

/** Whether keys would begin nowhere. */
export function isFocusLost(): boolean {
  return !document.activeElement || document.activeElement === document.body;
}
