// Short sentences about what just happened, read out by screen readers.

import { ref } from "vue";

export interface Notice {
  id: number;
  text: string;
  isBad: boolean;
}

export const notices = ref<Notice[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

export function tell(text: string, { isBad = false } = {}): void {
  const id = ++last;
  notices.value = notices.value.filter((notice) => notice.text !== text);
  notices.value.push({ id, text, isBad });
  if (!isBad) setTimeout(() => dismiss(id), SHOWN_MS); // what went wrong stays until it is read or over
}

/** What went wrong on a page that was left, or has been tried again with success. */
export function dismissErrors(): void {
  notices.value = notices.value.filter((notice) => !notice.isBad);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
