// Which language a page begins in. Needs nothing else, so that it is known before the page is there.

import { LANGUAGES, type Language } from "./languages";

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a page opened from a file may have no storage
  }
}

/** The language to begin with: chosen before, given with the report, or the browser's. */
export function firstLanguage(given: Language | null): Language {
  const stored = remembered(languageKey(given)) as Language | null;
  return stored && LANGUAGES.includes(stored) ? stored : (given ?? languageOfTheBrowser());
}

/** Where the choice is remembered: a report that was written in a language keeps it. */
export function languageKey(given: Language | null): string {
  return given ? `likewise.language.${given}` : "likewise.language";
}

/** The language that the browser asks for, where reports speak it. */
function languageOfTheBrowser(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const known = LANGUAGES.find((each) => tag.toLowerCase().split("-")[0] === each);
    if (known) return known;
  }
  return "en";
}
