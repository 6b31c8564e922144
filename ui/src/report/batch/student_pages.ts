// Where the pages of students are: in a file below its own address, on a server each at one of its own.

export interface StudentPages {
  /** The address of the page of a document, by its name; nothing where it has none. */
  of: (name: string) => string | undefined;
  /** Go there; `order` are the names of the documents as they are listed. */
  open: (address: string, order: readonly string[]) => void;
}
