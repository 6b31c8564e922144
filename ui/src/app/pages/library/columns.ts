// Which columns of the library are shown: chosen by the reader, remembered by the browser.

import { ref, type Ref } from "vue";

import type { LongColumn } from "../../parts/LongTable.vue";

const KEY = "likewise.columns";

export const COLUMNS: Omit<LongColumn, "title">[] = [
  { key: "name", sort: "name", width: "24%" },
  { key: "author", sort: "author", width: "15%" },
  { key: "type", sort: "type" },
  { key: "language", sort: "language" },
  { key: "year", sort: "year", isNumber: true, width: "5rem" },
  { key: "words", sort: "words", isNumber: true, width: "6.5rem" },
  { key: "organisation" },
  { key: "advisor" },
  { key: "owner", sort: "owner" },
  { key: "collection" },
  { key: "tags" },
  { key: "copy_of" },
  { key: "added_on", sort: "added_on", width: "8rem" },
];
const USUAL = ["name", "author", "type", "language", "year", "words", "copy_of", "added_on"];

export function useColumns(): { visibleColumns: Ref<Set<string>>; toggle: (key: string) => void } {
  const visibleColumns = ref(new Set(loadColumns()));
  function toggle(key: string): void {
    const now = new Set(visibleColumns.value);
    if (!now.delete(key)) now.add(key);
    visibleColumns.value = now;
    try {
      localStorage.setItem(KEY, JSON.stringify([...now]));
    } catch {
      // the choice holds for this visit
    }
  }
  return { visibleColumns, toggle };
}

function loadColumns(): string[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as unknown;
    const known = COLUMNS.map(({ key }) => key);
    if (Array.isArray(stored))
      return ["name", ...stored.filter((each) => known.includes(String(each)))];
  } catch {
    // then the usual ones
  }
  return USUAL;
}
