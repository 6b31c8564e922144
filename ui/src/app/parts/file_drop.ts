// What was dragged onto the page: files, and folders with everything inside.

export interface NamedFile {
  file: File;
  name: string; // with the folders it was in
}

const NOT_MEANT = /^(\..*|~\$.*|thumbs\.db|desktop\.ini|__macosx)$/i;

/** Whether a person meant to give it: systems and office programs leave files of their own about. */
export function isUserFile({ name }: { name: string }): boolean {
  return !name.split("/").some((part) => NOT_MEANT.test(part));
}

export function isArchive({ name }: { name: string }): boolean {
  return /\.zip$/i.test(name);
}

export async function listDroppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry?.() ?? null)
    .filter((entry) => entry !== null);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  const files: NamedFile[] = [];
  for (const entry of entries) await walk(entry, "", files);
  return files.filter(isUserFile);
}

async function walk(entry: FileSystemEntry, above: string, files: NamedFile[]): Promise<void> {
  const name = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    files.push({ file, name });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A browser gives at most a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (!some.length) return;
    for (const each of some) await walk(each, `${name}/`, files);
  }
}
