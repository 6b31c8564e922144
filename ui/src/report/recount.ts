// Shares after the reader took something out, counted as src/likewise/align does (shares.without,
// resolve.resolve): on whole numbers of characters, so that both come to the same figures.

import { WORDINGS, wordingsOf } from "./kinds";
import type { CheckView, SharesView, WordingsView } from "./view";

/** What the reader does not want counted: numbers of sources and of passages. */
export interface ReaderExclusions {
  sources: ReadonlySet<number>;
  passages: ReadonlySet<number>;
}

/** A source as it counts now. */
export interface Standing {
  source: number;
  covered: number;
  counted: number;
  under: number | null;
}

export interface Recount {
  shares: SharesView;
  wordings: WordingsView;
  standings: Standing[]; // in the order in which sources are listed
  state: Uint8Array; // of each segment; see NOT_COUNTED
}

/** The state of a segment that is similar by a wording that does not count. */
export const NOT_COUNTED = 3;

/** The view's own figures, as long as nothing is taken out. */
export function recount(view: CheckView, readerExclusions: ReaderExclusions): Recount {
  if (!readerExclusions.sources.size && !readerExclusions.passages.size) return asGiven(view);
  return anew(view, readerExclusions);
}

function asGiven(view: CheckView): Recount {
  const standings = view.sources.map(({ covered, counted, under }, source) => {
    return { source, covered, counted, under };
  });
  const { shares, wordings } = view;
  return { shares, wordings, standings, state: Uint8Array.from(view.segments.state) };
}

export function anew(view: CheckView, readerExclusions: ReaderExclusions): Recount {
  const { cuts, visible } = view.segments;
  // Which wordings do not count, says what is left of the passages.
  const state = Uint8Array.from(view.segments.state, (each) => (each === NOT_COUNTED ? 0 : each));
  const starts = new Map(cuts.map((cut, i) => [cut, i]));
  const segmentAt = (cut: number) => starts.get(cut) ?? 0;
  for (const i of readerExclusions.passages) {
    const [start, end] = view.passages[i]!.a;
    state.fill(2, segmentAt(start), segmentAt(end));
  }

  // Which segments each source covers and how much alike, in thousandths; its longest passage.
  const weights = new Map<number, Map<number, number>>();
  const longest = new Map<number, number>();
  const strongest = new Uint8Array(visible.length).fill(WORDINGS.length); // wording of each segment
  for (const passage of view.passages) {
    const { source, a, score, counts } = passage;
    if (!counts || readerExclusions.sources.has(source) || a[0] >= a[1]) continue;
    if (!weights.has(source)) weights.set(source, new Map());
    const weight = Math.max(1, Math.floor(score * 1000 + 0.5));
    const own = weights.get(source)!;
    for (let i = segmentAt(a[0]); i < segmentAt(a[1]); i++) {
      own.set(i, Math.max(own.get(i) ?? 0, weight));
    }
    longest.set(source, Math.max(longest.get(source) ?? 0, a[1] - a[0]));
    for (const [[start, end], wording] of wordingsOf(passage)) {
      const rank = WORDINGS.indexOf(wording);
      for (let i = segmentAt(start); i < segmentAt(end); i++) {
        strongest[i] = Math.min(strongest[i]!, rank);
      }
    }
  }
  const byWording = WORDINGS.map(() => 0);
  for (let i = 0; i < visible.length; i++) {
    const wording = WORDINGS[strongest[i]!];
    if (state[i] || wording === undefined) continue;
    byWording[strongest[i]!]! += visible[i]!;
    if (!view.count.includes(wording)) state[i] = NOT_COUNTED;
  }
  const segments = new Map<number, Uint32Array>();
  for (const [source, own] of weights) segments.set(source, Uint32Array.from(own.keys()).sort());

  const length = (i: number) => cuts[i + 1]! - cuts[i]!;
  const name = (source: number) => view.sources[source]!.text.name;
  const owner = new Int32Array(visible.length).fill(-1);
  const free = (source: number) => {
    let sum = 0;
    for (const [i, weight] of weights.get(source)!) if (owner[i]! < 0) sum += weight * length(i);
    return sum;
  };
  const own = (source: number, rank: number) =>
    segments.get(source)!.reduce((sum, i) => sum + (owner[i] === rank ? length(i) : 0), 0);

  // What a source adds only shrinks as others are taken: an old figure is an upper bound, and is
  // counted anew only when it leads.
  const queue = new Queue<Candidate>(
    (x, y) =>
      y.added - x.added ||
      longest.get(y.source)! - longest.get(x.source)! ||
      byCodePoints(name(x.source), name(y.source)) ||
      x.source - y.source,
  );
  for (const source of segments.keys()) queue.push({ source, added: free(source), at: 0 });
  const order: number[] = [];
  const addingNothing: number[] = [];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { source, added, at } = next;
    if (at < order.length) {
      queue.push({ source, added: free(source), at: order.length });
    } else if (!added) {
      addingNothing.push(source);
    } else {
      for (const i of segments.get(source)!) if (owner[i]! < 0) owner[i] = order.length;
      order.push(source);
    }
  }

  const seen = (source: number, which: (i: number) => boolean) => {
    let sum = 0;
    for (const i of segments.get(source)!) if (!state[i] && which(i)) sum += visible[i]!;
    return sum;
  };
  const standings: Standing[] = order.map((source, rank) => ({
    source,
    covered: seen(source, () => true),
    counted: seen(source, (i) => owner[i] === rank),
    under: null,
  }));
  const added = new Map(order.map((source, rank) => [source, own(source, rank)]));
  standings.sort((x, y) => added.get(y.source)! - added.get(x.source)!);
  const reach = (source: number) => segments.get(source)!.reduce((sum, i) => sum + length(i), 0);
  addingNothing.sort((x, y) => reach(y) - reach(x) || byCodePoints(name(x), name(y)));
  for (const source of addingNothing) {
    const shared = new Float64Array(order.length);
    for (const i of segments.get(source)!) shared[owner[i]!]! += length(i);
    let most = 0;
    shared.forEach((sum, rank) => (most = sum > shared[most]! ? rank : most));
    standings.push({
      source,
      covered: seen(source, () => true),
      counted: 0,
      under: order[most] ?? null,
    });
  }
  const rest = view.sources.map((_, i) => i);
  const onlyFragments = rest.filter((i) => !readerExclusions.sources.has(i) && !segments.has(i));
  onlyFragments.sort((x, y) => byCodePoints(name(x), name(y)));
  for (const source of onlyFragments) {
    standings.push({ source, covered: 0, counted: 0, under: null });
  }

  const sums = [0, 0, 0, 0];
  let similar = 0;
  for (let i = 0; i < visible.length; i++) {
    sums[state[i]!]! += visible[i]!;
    if (!state[i] && owner[i]! >= 0) similar += visible[i]!;
  }
  const [quoted, excluded] = [sums[1]!, sums[2]! + sums[NOT_COUNTED]!];
  const { whole } = view.shares;
  const original = whole - similar - quoted - excluded;
  const [word_for_word, reworded, translated] = byWording as [number, number, number];
  const wordings = { word_for_word, reworded, translated };
  return { shares: { whole, original, similar, quoted, excluded }, wordings, standings, state };
}

interface Candidate {
  source: number;
  added: number;
  at: number;
}

/** The order of Python's strings; JavaScript's own differs beyond the first 65,536 characters. */
export function byCodePoints(x: string, y: string): number {
  const [a, b] = [Array.from(x), Array.from(y)];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a[i]!.codePointAt(0)! - b[i]!.codePointAt(0)!;
    if (difference) return difference;
  }
  return a.length - b.length;
}

/** A binary heap: the first in order is taken first. */
class Queue<T> {
  private readonly items: T[] = [];

  constructor(private readonly order: (x: T, y: T) => number) {}

  push(item: T): void {
    const items = this.items;
    let at = items.push(item) - 1;
    while (at) {
      const above = (at - 1) >> 1;
      if (this.order(items[above]!, item) <= 0) break;
      items[at] = items[above]!;
      at = above;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.items;
    const first = items[0];
    const last = items.pop();
    if (!items.length || last === undefined) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && this.order(items[below + 1]!, items[below]!) < 0) below++;
      if (this.order(last, items[below]!) <= 0) break;
      items[at] = items[below]!;
      at = below;
    }
    items[at] = last;
    return first;
  }
}
