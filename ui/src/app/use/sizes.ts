// How much room something takes, as people say it.

import type { Words } from "../../words";

export function formatSize(words: Words, bytes: number): string {
  return words.size(bytes);
}
