// Before something that cannot be undone the server wants the password once more: a dialog asks for
// it, and what was refused is asked anew.

import { ref } from "vue";

/** Whether the dialog is to be shown. */
export const isReauthenticating = ref(false);
let waiting: ((isDone: boolean) => void)[] = [];

/** Comes true once the password was given, false where the person would rather not. */
export function reauthenticate(): Promise<boolean> {
  isReauthenticating.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

export function finishReauthentication(isDone: boolean): void {
  isReauthenticating.value = false;
  const others = waiting;
  waiting = [];
  for (const resolve of others) resolve(isDone);
}
