// One folder for each part of the pages, one file for each language. A page loads the words of the
// language that it speaks, and another's when it is chosen: first those of its frame and of a report,
// then all others.

import type { Language } from "../../languages";
import type { Catalogue } from "../../words";

type Loaders = Readonly<Record<Language, () => Promise<{ default: Catalogue }>>>;

const FIRST: Loaders = {
  en: () => import("./en"),
  ru: () => import("./ru"),
  kk: () => import("./kk"),
};
const MORE: Loaders = {
  en: () => import("./more/en"),
  ru: () => import("./more/ru"),
  kk: () => import("./more/kk"),
};

export const loadFirstWords = async (language: Language): Promise<Catalogue> =>
  (await FIRST[language]()).default;

export const loadMoreWords = async (language: Language): Promise<Catalogue> =>
  (await MORE[language]()).default;

export async function loadCatalogue(language: Language): Promise<Catalogue> {
  const parts = await Promise.all([loadFirstWords(language), loadMoreWords(language)]);
  return { ...parts[0], ...parts[1] };
}
