// Files that were checked before they are handed in: the server keeps none of them, so this page does,
// as long as it is open.

import type { NamedFile } from "../../parts/file_drop";

const files = new Map<string, NamedFile>();

export function rememberFile(selfCheck: string, file: NamedFile): void {
  files.set(selfCheck, file);
}

/** The file of a self-check; nothing where the page was loaded anew since. */
export const fileOf = (selfCheck: string): NamedFile | null => files.get(selfCheck) ?? null;
