// How the page looks and speaks: chosen by the reader, remembered where the browser allows it.

import { ref, watch, type Ref } from "vue";

import { languageKey, remembered } from "./first_language";
import type { Language } from "./languages";

export type Theme = "light" | "dark" | "system";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // the choice holds for this visit
  }
}

let shared: Ref<Theme> | null = null;

/** The chosen theme, one for all who ask; what it comes to is kept in `data-theme`. */
export function useTheme(): Ref<Theme> {
  return (shared ??= themeOfThePage());
}

function themeOfThePage(): Ref<Theme> {
  const stored = remembered("likewise.theme") as Theme | null;
  const theme = ref<Theme>(stored && THEMES.includes(stored) ? stored : "system");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const isDark = theme.value === "dark" || (theme.value === "system" && dark.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  dark.addEventListener("change", show);
  watch(theme, (chosen) => {
    remember("likewise.theme", chosen);
    show();
  });
  show();
  return theme;
}

/** Remembers the language, and keeps `<html lang>` true. */
export function keepLanguage(language: Ref<Language>, given: Language | null): void {
  watch(language, (chosen) => remember(languageKey(given), chosen));
  watch(language, (chosen) => (document.documentElement.lang = chosen), { immediate: true });
}
