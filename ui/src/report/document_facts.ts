// What is known of the checked document besides its name.

import type { Words } from "../words";
import { calledOf } from "./names";
import { harmless } from "./text";
import type { CheckView, TextView } from "./view";

/** Author, advisor and year, as far as they are known and the name does not tell them already. */
export function whoWrote(words: Words, document: TextView): string[] {
  const { author, advisor, year } = document as TextView & { advisor?: string; year?: number | null };
  return [
    author === calledOf(document) ? "" : author,
    advisor ? words.say("head.advisor", { name: advisor }) : "",
    year ? String(year) : "",
  ]
    .filter(Boolean)
    .map((each) => harmless(each!));
}

/** How many of its tables and pictures stand in a source that nobody excluded. */
export function copiedIn(
  view: CheckView,
  excluded: ReadonlySet<number>,
): { tables: number; pictures: number } {
  const given = view as CheckView & { copied_tables?: number; copied_pictures?: number };
  if (!excluded.size && given.copied_tables !== undefined) {
    return { tables: given.copied_tables, pictures: given.copied_pictures ?? 0 };
  }
  const counting = view.tables.filter(({ source }) => source === null || !excluded.has(source));
  const tables = new Set(counting.map(({ place_a }) => place_a.join(" ")));
  const pictures = new Set(
    view.sources.flatMap((source, i) => (excluded.has(i) ? [] : source.pictures.map(([here]) => here))),
  );
  return { tables: tables.size, pictures: pictures.size };
}
