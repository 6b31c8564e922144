// Files that were dropped on one page and are meant for another.

import type { NamedFile } from "../parts/file_drop";

let handed: NamedFile[] = [];

export function handOver(files: readonly NamedFile[]): void {
  handed = [...files];
}

/** What was handed over; once. */
export function takeHanded(): NamedFile[] {
  const files = handed;
  handed = [];
  return files;
}
