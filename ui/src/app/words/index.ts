// One folder for each part of the pages, one file for each language.

import type { Catalogue, Language } from "../../words";

const files = import.meta.glob<Catalogue>(["./*/*.json", "@catalogue/server/*.json"], {
  eager: true,
  import: "default",
});

export const catalogues: [Language, Catalogue][] = Object.entries(files).map(([path, words]) => [
  path.split("/").at(-1)!.slice(0, 2) as Language,
  words,
]);
