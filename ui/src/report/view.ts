// What the page draws: the types of src/likewise/report/view.py, as `plain` writes them.

import type { Message } from "../words";
import type { MeasureName } from "./measures";

export type Ends = readonly [start: number, end: number];
export type Kind = "verbatim" | "edited" | "paraphrased";

/** Of a segment: counts, quoted, excluded. */
export type State = 0 | 1 | 2;

export interface MadeView {
  version: string;
  date: string;
  recipe: string;
  settings: Record<string, unknown>;
  counting: Record<string, unknown>;
}

export interface NoteView {
  name: string;
  kind: string;
  message: string;
  in_part: boolean;
  is_disguise: boolean;
  places: Ends[];
  pages: number[];
  said: Message | null;
  is_mended: boolean;
}

export interface TextView {
  name: string;
  language: string | null;
  sha256: string;
  is_file: boolean;
  length: number;
  words: number;
  pages: [number: number, start: number, end: number][];
  stretches: [start: number, text: string][];
  author: string;
  title: string;
  fetched: string;
}

export interface PassageView {
  source: number;
  a: Ends;
  b: Ends;
  kind: Kind;
  score: number;
  words: number;
  holders: number;
  pages_a: Ends | null;
  pages_b: Ends | null;
  differs_a: Ends[];
  differs_b: Ends[];
  counts: boolean;
  number: number | null;
  literal: number;
  expected: number | null;
}

export interface MeasuresView extends Record<MeasureName, number> {
  agreement: number;
  low: number;
  high: number;
  level: number;
  inside: string[];
}

export interface SourceView {
  text: TextView;
  covered: number;
  counted: number;
  under: number | null;
  measures: MeasuresView | null;
  passages: number;
  fragments: number;
  pictures: [here: string, there: string][];
  covered_b: number;
  whole_b: number;
  literal: number;
  listings: number;
}

export interface ExclusionView {
  place: Ends;
  reason: string;
  detail: string;
  holders: number;
  pages: Ends | null;
}

export interface SegmentsView {
  cuts: number[];
  visible: number[];
  state: State[];
}

export interface SharesView {
  whole: number;
  original: number;
  similar: number;
  quoted: number;
  excluded: number;
}

export interface UncheckedView {
  unread: [name: string, reason: string, said: Message | null][];
  skipped: string[];
  left_out: [why: string, characters: number][];
  other_languages: number;
}

export type CellState = "equal" | "moved" | "altered" | "empty" | "missing" | "added";

export interface TableCellView {
  a: string;
  b: string;
  state: CellState;
}

export interface TableColumnView {
  a: number | null;
  b: number | null;
  moved: boolean;
}

export interface TableRowView extends TableColumnView {
  cells: TableCellView[];
}

export interface TableMatchView {
  name: string;
  source: number | null;
  caption_a: string;
  caption_b: string;
  page_a: number | null;
  page_b: number | null;
  place_a: Ends;
  score: number;
  share_a: number;
  share_b: number;
  transposed: boolean;
  columns: TableColumnView[];
  rows: TableRowView[];
  more_rows: number;
  more_columns: number;
}

export interface CheckView {
  kind: "check" | "pair";
  made: MadeView;
  document: TextView;
  shares: SharesView;
  sources: SourceView[];
  passages: PassageView[];
  exclusions: ExclusionView[];
  segments: SegmentsView;
  documents: number;
  unchecked: UncheckedView;
  notes: NoteView[];
  taken_out: string[];
  shares_before: SharesView | null;
  tables: TableMatchView[];
  partners: PartnerView[];
  decisions: DecisionView[];
  confirmations: ConfirmationView[];
  asked: AskedView[];
  literal: number;
  too_short: boolean;
  listings: PassageView[];
}

export interface AskedView {
  provider: string;
  query: string;
  sent_to: string;
  on: string;
  results: number;
  problem: string;
  said: Message | null;
}

export interface DecisionView {
  source: string | null;
  place: Ends | null;
  pages: Ends | null;
  by: string;
  on: string;
  reason: string;
}

export interface ConfirmationView {
  by: string;
  on: string;
  comment: string;
}

export interface PartnerView {
  library: string;
  name: string;
  share: number;
  told: Record<string, string>;
}

export interface PairView {
  a: number;
  b: number;
  similarity: number;
  measures: MeasuresView | null;
  jaccard: number;
  containment_a: number;
  containment_b: number;
  passages: PassageView[];
}

export interface ClusterView {
  members: number[];
  weakest: number;
  more: number;
}

export interface ThresholdView {
  threshold: number;
  pairs: number;
  clusters: number;
  kept: number;
  removed: number;
}

export interface CollectionView {
  kind: "find" | "cross" | "dedup";
  made: MadeView;
  names: string[];
  measure: string;
  threshold: number;
  method: string;
  documents: number;
  texts: TextView[];
  sides: number[];
  pairs: PairView[];
  all_pairs: number;
  histogram: number[];
  clusters: ClusterView[];
  all_clusters: number;
  thresholds: ThresholdView[];
  unchecked: UncheckedView;
  notes: NoteView[];
}

export interface BatchView {
  kind: "batch";
  made: MadeView;
  against: string;
  checks: CheckView[];
  collection: CollectionView;
  unchecked: UncheckedView;
}

export type View = CheckView | CollectionView | BatchView;
