// What the reader of a report does with it: opens passages, takes sources and passages out.

import {
  computed,
  inject,
  provide,
  shallowRef,
  type ComputedRef,
  type InjectionKey,
  type ShallowRef,
} from "vue";

import { COMMENTING, commentsOf, inOrder, type CommentView } from "./comments";
import { blocksOf, foldsOf, runsOf, visiblePassages, type Block, type Fold, type Run } from "./drawing";
import { provideLabels } from "./names";
import { recount, type Recount, type ReaderExclusions } from "./recount";
import { harmless, stretchesOf } from "./text";
import type { CheckView, Confirmation, DecisionView, NoteView, Span } from "./view";

/** What stands beside the text. */
export type Tab = "sources" | "copied" | "comments" | "tricks" | "unchecked" | "details";

export interface Reader {
  view: CheckView;
  readerExclusions: ShallowRef<ReaderExclusions>;
  recounted: ComputedRef<Recount>;
  blocks: Block[];
  runs: ComputedRef<Run[][]>;
  visible: ComputedRef<number[]>; // passages in the order of the text
  current: ShallowRef<number | null>; // the passage that is open
  pointed: ShallowRef<readonly Span[]>; // words of the text that are pointed at beside it
  over: ShallowRef<number | null>; // the place in the open passage that is pointed at
  tricks: [index: number, note: NoteView][];
  notes: NoteView[];
  comments: ComputedRef<readonly CommentView[]>; // in the order of the text
  folds: readonly Fold[];
  unfolded: ShallowRef<ReadonlySet<number>>; // folds whose text is shown
  tab: ShallowRef<Tab>;
  isRaised: ShallowRef<boolean>; // on a narrow screen the list beside the text is a sheet from below
  show(tab: Tab): void;
  fold(fold: number, isFolded: boolean): void;
  excludeSource(source: number): void;
  excludePassage(passage: number): void;
  restoreSource(source: number): void;
  restorePassage(passage: number): void;
  restoreAll(): void;
  open(passage: number | null): void;
  step(by: 1 | -1): void;
  excerpt(start: number, end: number): string;
  passagesOf(source: number): readonly number[];
  goTo(place: number): void; // scrolls the text
  onGoTo(scroll: (place: number) => void): void;
}

const READING: InjectionKey<Reader> = Symbol("reader");

/** Keeps what the reader took out, with who and why; a page of a server has it, a file has not. */
export const SAVE_EXCLUSIONS: InjectionKey<(readerExclusions: ReaderExclusions) => void> = Symbol("keeping");

/** Takes back what is kept on a server; nothing where the reader may not. */
export interface TakingBack {
  decision(decision: DecisionView): (() => void) | null;
  confirmation(confirmation: Confirmation): (() => void) | null;
}

export const TAKING_BACK: InjectionKey<TakingBack> = Symbol("taking back");

/** The pages of documents in a server's library. */
export interface LibraryPages {
  pathOf(name: string): string | null; // of a source, or of the checked document
  go(path: string): void;
}

export const LIBRARY_PAGES: InjectionKey<LibraryPages> = Symbol("library pages");

/** Where the passage has a column of its own, beside the text and the sources. */
export const THREE_COLUMNS = "(min-width: 100rem)";
/** Where the text and what stands beside it fill the screen, each scrolled by itself. */
export const PANES = "screen and (min-width: 64rem)";

export function useReader(): Reader {
  return inject(READING)!;
}

/** Nothing taken out; kept by whoever shows several reports. */
export function noExclusions(): ShallowRef<ReaderExclusions> {
  return shallowRef<ReaderExclusions>({ sources: new Set(), passages: new Set() });
}

export function provideReader(view: CheckView, readerExclusions = noExclusions()): Reader {
  provideLabels([view.document, ...view.sources.map(({ text }) => text)]);
  const recounted = computed(() => recount(view, readerExclusions.value));
  const current = shallowRef<number | null>(null);
  const pointed = shallowRef<readonly Span[]>([]);
  const over = shallowRef<number | null>(null);
  const tab = shallowRef<Tab>("sources");
  const isRaised = shallowRef(false);
  const folds = foldsOf(view);
  const unfolded = shallowRef<ReadonlySet<number>>(new Set());
  const commenting = inject(COMMENTING, null);
  const given = commentsOf(view);
  const comments = computed(() => (commenting ? inOrder(commenting.comments.value) : given));
  const tricks = [...view.notes.entries()].filter(([, note]) => note.is_disguise);
  const notes = view.notes.filter((note) => !note.is_disguise);
  const places = tricks.flatMap(([i, note]) =>
    note.name === view.document.name ? note.places.map((place): [number, Span] => [i, place]) : [],
  );

  const bySource: number[][] = view.sources.map(() => []);
  view.passages.forEach(({ source }, i) => bySource[source]?.push(i));

  const stretch = stretchesOf(view.document).around(0);
  const blocks = stretch ? blocksOf(view, stretch) : [];
  // A block whose runs did not change keeps them, so that it is not drawn again.
  let before: Run[][] = [];
  const runs = computed(() => {
    if (!stretch) return [];
    const now = runsOf(view, blocks, stretch, recounted.value, readerExclusions.value, places);
    before = now.map((each, i) => (before[i] && sameRuns(before[i], each) ? before[i] : each));
    return before;
  });
  const visible = computed(() => visiblePassages(runs.value));

  const change = (edit: (sources: Set<number>, passages: Set<number>) => void) => {
    const sources = new Set(readerExclusions.value.sources);
    const passages = new Set(readerExclusions.value.passages);
    edit(sources, passages);
    readerExclusions.value = { sources, passages };
    const open = current.value;
    if (open !== null && (passages.has(open) || sources.has(view.passages[open]!.source))) {
      current.value = null;
    }
  };

  let scroll: (place: number) => void = () => {};
  const reader: Reader = {
    view,
    readerExclusions,
    recounted,
    blocks,
    runs,
    visible,
    current,
    pointed,
    over,
    tricks,
    notes,
    comments,
    folds,
    unfolded,
    tab,
    isRaised,
    show(which) {
      tab.value = which;
      isRaised.value = true;
      if (!matchMedia(THREE_COLUMNS).matches) current.value = null; // it stands before the list
    },
    fold(fold, isFolded) {
      const open = new Set(unfolded.value);
      if (isFolded) open.delete(fold);
      else open.add(fold);
      unfolded.value = open;
    },
    excludeSource: (source) => change((sources) => sources.add(source)),
    excludePassage: (passage) => change((_, passages) => passages.add(passage)),
    restoreSource: (source) => change((sources) => sources.delete(source)),
    restorePassage: (passage) => change((_, passages) => passages.delete(passage)),
    restoreAll: () => change((sources, passages) => (sources.clear(), passages.clear())),
    open: (passage) => (current.value = passage),
    step(by) {
      const all = visible.value;
      if (!all.length) return;
      if (current.value === null) {
        current.value = by > 0 ? all[0]! : all[all.length - 1]!;
        return;
      }
      const at = all.indexOf(current.value);
      if (at >= 0) {
        current.value = all[(at + by + all.length) % all.length]!;
        return;
      }
      // An overlapped passage is open: go on from where it stands in the text.
      const [start] = view.passages[current.value]!.a;
      const after = all.findIndex((each) => view.passages[each]!.a[0] > start);
      const next = after < 0 ? all.length : after;
      current.value = all[(by > 0 ? next : next - 1 + all.length) % all.length]!;
    },
    excerpt: (start, end) => harmless(stretch?.slice(start, end) ?? "").replace(/\s+/g, " "),
    passagesOf: (source) => bySource[source] ?? [],
    goTo: (place) => scroll(place),
    onGoTo: (how) => (scroll = how),
  };
  provide(READING, reader);
  return reader;
}

function sameRuns(x: readonly Run[], y: readonly Run[]): boolean {
  return (
    x.length === y.length &&
    x.every((run, i) => {
      const other = y[i]!;
      return (
        run.start === other.start &&
        run.end === other.end &&
        run.passage === other.passage &&
        run.begins === other.begins &&
        run.exclusion === other.exclusion &&
        run.excludes === other.excludes &&
        run.trick === other.trick
      );
    })
  );
}
