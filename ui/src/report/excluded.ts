// How much of a text does not count, by the reason: the assignment's text, quotations and others.

import type { CheckView } from "./view";

export interface ExcludedShare {
  reason: string;
  share: number; // of the text that can be seen
}

/** The largest first. What several reasons hold for counts for the first of them in the text. */
export function excludedByReason({ exclusions, segments, shares }: CheckView): ExcludedShare[] {
  const chars = new Map<string, number>();
  const inOrder = [...exclusions].sort((x, y) => x.place[0] - y.place[0]);
  let first = 0;
  segments.visible.forEach((visible, i) => {
    const state = segments.state[i];
    if (state !== 1 && state !== 2) return;
    const start = segments.cuts[i]!;
    while (first < inOrder.length && inOrder[first]!.place[1] <= start) first++;
    for (let at = first; at < inOrder.length && inOrder[at]!.place[0] <= start; at++) {
      const { place, reason } = inOrder[at]!;
      if (place[1] <= start) continue;
      chars.set(reason, (chars.get(reason) ?? 0) + visible);
      return;
    }
  });
  return [...chars]
    .map(([reason, count]) => ({ reason, share: count / (shares.whole || 1) }))
    .sort((x, y) => y.share - x.share);
}
