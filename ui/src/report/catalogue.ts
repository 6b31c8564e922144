// A report that is one file brings the words of every language along.

import type { Language } from "../languages";
import { addCatalogue, type Catalogue } from "../words";

const files = import.meta.glob<Catalogue>(
  ["@catalogue/{report,core,reading,corpus,library,internet}/*.json"],
  { eager: true, import: "default" },
);
for (const [path, words] of Object.entries(files))
  addCatalogue(path.split("/").at(-1)!.slice(0, 2) as Language, words);
