// Made by ui/shapes.py from the registry of languages; not to be edited.

/** How people of each language write numbers. */
export const SIGNS = {
  en: { decimal: ".", thousands: ",", percent: "%" },
  ru: { decimal: ",", thousands: "\u00a0", percent: "\u00a0%" },
  kk: { decimal: ",", thousands: "\u00a0", percent: "\u00a0%" },
} as const;

/** What each language calls itself, known before its words are loaded. */
export const NAMES = {
  en: "English",
  ru: "Русский",
  kk: "Қазақша",
} as const;

export type Language = keyof typeof SIGNS;
export const LANGUAGES = Object.keys(SIGNS) as Language[];
