// One folder for each part of the pages, one file for each language. A page loads the words of the
// language that it speaks, and another's when it is chosen.

import type { Language } from "../../languages";
import type { Catalogue } from "../../words";

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import("./en"),
  ru: () => import("./ru"),
  kk: () => import("./kk"),
};

export async function loadCatalogue(language: Language): Promise<Catalogue> {
  return (await LOADERS[language]()).default;
}
