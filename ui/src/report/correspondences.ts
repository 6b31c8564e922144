// Which words of a passage in other words have partners on the other side, seen from both sides.

import type { Correspondence, PassageView, Span } from "./view";

/** A word of one side with its partners, by their numbers on the other. */
export interface PartneredWord {
  place: Span;
  partners: number[];
  reasons: Correspondence[2][]; // what it shares with each of them
}

/** The words of both sides that have partners, each side in the order of its text. */
export function partneredWords(passage: PassageView): [PartneredWord[], PartneredWord[]] {
  const rows = passage.correspondences;
  const places = new Map<number, Span>();
  for (const [, others] of rows) for (const place of others) places.set(place[0], place);
  const there = [...places.values()]
    .sort((x, y) => x[0] - y[0])
    .map((place): PartneredWord => ({ place, partners: [], reasons: [] }));
  const numbers = new Map(there.map(({ place }, i) => [place[0], i]));
  const here = rows.map(([place, others, reason], i): PartneredWord => {
    const partners = others.map(([start]) => numbers.get(start)!);
    for (const each of partners) {
      there[each]!.partners.push(i);
      there[each]!.reasons.push(reason);
    }
    return { place, partners, reasons: partners.map(() => reason) };
  });
  return [here, there];
}
