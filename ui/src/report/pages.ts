// Pages of several passages as people write them: 2–4, 7.

import type { Words } from "../words";
import type { PageRange } from "./view";

const MOST = 6; // runs of pages that are written out

export function pagesOf(words: Words, places: readonly (PageRange | null)[]): string {
  const known = places.filter((range) => range !== null).map(([first, last]) => [first, last]);
  if (!known.length) return "";
  known.sort((x, y) => x[0]! - y[0]!);
  const joined: [number, number][] = [];
  for (const [first, last] of known as [number, number][]) {
    const before = joined[joined.length - 1];
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  if (joined.length === 1) return words.pages(joined[0]!);
  const list = joined.slice(0, MOST).map(([first, last]) => written(words, first, last));
  if (joined.length > MOST) list.push("…");
  return words.say("page.list", { list: list.join(", ") });
}

function written(words: Words, first: number, last: number): string {
  return first === last ? words.number(first) : `${words.number(first)}–${words.number(last)}`;
}
