// What is drawn where in the text: it is cut into blocks that are mounted one after the other, and
// each block into runs that look the same from end to end.

import { NOT_COUNTED, type Recount, type ReaderExclusions } from "./recount";
import type { Stretch } from "./text";
import type { CheckView, ExclusionReason, Span } from "./view";

export interface Run {
  start: number;
  end: number;
  passage: number; // that is on top here; -1 where there is none
  begins: boolean; // the first run of its passage: its number stands before it
  excludes: boolean; // the first run of its exclusion: the reason stands before it
  exclusion: number; // that covers it; -1 where it counts; READER, UNCOUNTED
  trick: number; // the note of a disguise; -1 where there is none
}

export interface Block {
  start: number;
  end: number;
  page: number | null; // that begins here
}

/** A title page, or a long stretch that does not count, folded until somebody asks for it. */
export interface Fold {
  start: number;
  end: number;
  reason: ExclusionReason;
}

export const READER = -2;
export const UNCOUNTED = -3; // by its wording
const LONG = 6000; // code points: a longer page is cut
const ENOUGH = 4000; // code points in a block
const GAP = 8; // code points at most of blanks between passages
const FOLDED: ReadonlySet<ExclusionReason> = new Set(["title page", "contents", "bibliography"]);
const WORTH_FOLDING = 300; // code points: what is shorter is read at a glance
const FARTHEST = 16000; // where no line ends before, the line is cut

/** Blocks of a text: its pages, or some thousand characters, ending where a line ends. */
export function blocksOf(view: CheckView, stretch: Stretch): Block[] {
  const { length, pages } = view.document;
  const parts: Block[] = [];
  if (pages.length && pages[0]![1] > 0) parts.push({ start: 0, end: 0, page: null });
  for (const [page, start] of pages) parts.push({ start, end: start, page });
  if (!parts.length) parts.push({ start: 0, end: length, page: null });
  parts.forEach((part, i) => (part.end = parts[i + 1]?.start ?? length));
  return parts.flatMap((part) => cutIntoBlocks(part, stretch));
}

function cutIntoBlocks(part: Block, stretch: Stretch): Block[] {
  const found: Block[] = [];
  let { start, page } = part;
  while (part.end - start > LONG) {
    const end = endOfLine(stretch, start + ENOUGH, Math.min(start + FARTHEST, part.end));
    if (end >= part.end) break;
    found.push({ start, end, page });
    [start, page] = [end, null];
  }
  return [...found, { start, end: part.end, page }];
}

function endOfLine(stretch: Stretch, from: number, farthest: number): number {
  for (let at = from; at < farthest; at += 500) {
    const text = stretch.slice(at, Math.min(at + 500, farthest));
    const line = text.indexOf("\n");
    if (line >= 0) return at + Array.from(text.slice(0, line + 1)).length;
  }
  return farthest;
}

/** Title pages, tables of contents and bibliographies, apart from each other and in order. */
export function foldsOf(view: CheckView): Fold[] {
  const folds: Fold[] = [];
  const folded = view.exclusions.filter(
    ({ place: [start, end], reason }) =>
      FOLDED.has(reason) && (reason === "title page" || end - start >= WORTH_FOLDING),
  );
  for (const { place, reason } of folded.sort((x, y) => x.place[0] - y.place[0])) {
    const [start, end] = place;
    if (start >= (folds[folds.length - 1]?.end ?? 0)) folds.push({ start, end, reason });
  }
  return folds;
}

/** The runs of every block. */
export function runsOf(
  view: CheckView,
  blocks: readonly Block[],
  stretch: Stretch,
  recounted: Recount,
  readerExclusions: ReaderExclusions,
  tricks: readonly (readonly [note: number, place: Span])[],
): Run[][] {
  const covers = [
    ...passagesToDraw(view, recounted, readerExclusions),
    ...view.exclusions.map((each, i) => cover("exclusion", each.place, i, rankOf(each.reason))),
    ...[...readerExclusions.passages].map((i) => cover("exclusion", view.passages[i]!.a, READER, -1)),
    ...uncountedToDraw(view, recounted),
    ...tricks.map(([note, place]) => cover("trick", place, note, note)),
  ].sort((x, y) => x.start - y.start);
  const ends = covers.flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([...ends, ...blocks.map((block) => block.start)])];
  cuts.sort((x, y) => x - y);

  const begun = new Set<number>();
  const told = new Set<number>();
  const { length } = view.document;
  const all: Run[][] = blocks.map(() => []);
  let active: Cover[] = [];
  let [next, block] = [0, 0];
  cuts.forEach((start, i) => {
    const end = Math.min(cuts[i + 1] ?? length, length);
    if (start >= end) return;
    while (next < covers.length && covers[next]!.start <= start) active.push(covers[next++]!);
    active = active.filter((each) => each.end > start);
    while (block + 1 < blocks.length && blocks[block + 1]!.start <= start) block++;
    const top = { passage: -1, exclusion: -1, trick: -1 };
    const rank = { passage: Infinity, exclusion: Infinity, trick: Infinity };
    for (const each of active) {
      if (each.rank < rank[each.what]) {
        rank[each.what] = each.rank;
        top[each.what] = each.which;
      }
    }
    const runs = all[block]!;
    const last = runs[runs.length - 1];
    // A gap between passages is no passage, though one that lies below may reach over it.
    if (top.passage >= 0 && end - start <= GAP && !stretch.slice(start, end).trim()) {
      if (last?.passage !== top.passage) top.passage = -1;
    }
    const { passage, exclusion, trick } = top;
    if (
      last &&
      last.end === start &&
      last.passage === passage &&
      last.exclusion === exclusion &&
      last.trick === trick
    ) {
      last.end = end;
    } else {
      const begins = passage >= 0 && !begun.has(passage);
      if (begins) begun.add(passage);
      const excludes = exclusion >= 0 && !told.has(exclusion);
      if (excludes) told.add(exclusion);
      runs.push({ start, end, passage, begins, exclusion, excludes, trick });
    }
  });
  return all;
}

interface Cover {
  what: "passage" | "exclusion" | "trick";
  start: number;
  end: number;
  which: number;
  rank: number; // the lowest is on top
}

function cover(what: Cover["what"], [start, end]: Span, which: number, rank: number): Cover {
  return { what, start, end, which, rank };
}

function rankOf(reason: string): number {
  return reason === "quotation" ? 0 : 1;
}

function uncountedToDraw({ segments: { cuts } }: CheckView, { state }: Recount): Cover[] {
  const covers: Cover[] = [];
  state.forEach((each, i) => {
    const span: Span = [cuts[i]!, cuts[i + 1]!];
    if (each === NOT_COUNTED) covers.push(cover("exclusion", span, UNCOUNTED, 2));
  });
  return covers;
}

/** The passages of the source that is counted first are on top, fragments below. */
function passagesToDraw(view: CheckView, recounted: Recount, readerExclusions: ReaderExclusions): Cover[] {
  const ranks = new Map(recounted.standings.map(({ source }, rank) => [source, rank]));
  const found: Cover[] = [];
  view.passages.forEach(({ source, a, counts }, i) => {
    const rank = ranks.get(source);
    if (rank === undefined || readerExclusions.passages.has(i)) return;
    const longer = 1 / (2 + a[1] - a[0]); // of one source the longer passage is on top
    found.push(cover("passage", a, i, (counts ? 0 : 1e6) + rank + longer));
  });
  return found;
}

/** The passages that can be seen, in the order of the text. */
export function visiblePassages(runs: readonly Run[][]): number[] {
  const seen: number[] = [];
  for (const block of runs) for (const run of block) if (run.begins) seen.push(run.passage);
  return seen;
}
