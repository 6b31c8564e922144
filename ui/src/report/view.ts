// Made by ui/shapes.py from src/likewise/report/view.py; not to be edited.

import type { Message } from "../words";
import type { MeasureName } from "./measures";

/** Where something starts and ends, in code points of its document's text. */
export type Span = readonly [start: number, end: number];

export type Correspondence = [Span, Span[], "word" | "concept" | "number" | "name", number];

export type ExclusionReason = "title page" | "contents" | "bibliography" | "quotation" | "template" | "common" | "listing" | "reader";

export type Kind = "verbatim" | "edited" | "rewritten" | "summarised" | "translated";

export type Wording = "word_for_word" | "reworded" | "translated";

/** What somebody writes beside a place of the checked text, as it is kept. */
export interface CommentRow {
  id: string;
  span: Span;
  by: string;
  on: string; // ISO 8601, UTC, to the second
  comment: string;
}

/** What a commission decided about a report; a later one stands below it, none is changed. */
export interface CommissionRow {
  id: string;
  by: string;
  on: string; // ISO 8601, UTC, to the second
  decision: "no_breach" | "revise" | "inquire" | "breach";
  comment: string;
}

/** That another teacher has read the report and agrees. */
export interface Confirmation {
  by: string;
  on: string;
  comment: string;
}

export type PageRange = [number, number];

export type CellState = "equal" | "moved" | "altered" | "empty" | "missing" | "added";

export type State = 0 | 1 | 2 | 3;

/** What made the report, so that it can be made again. */
export interface ProvenanceView {
  version: string;
  date: string; // ISO 8601, UTC, to the second
  recipe: string;
  settings: Record<string, unknown>;
  counting: Record<string, unknown>; // otherwise than usual
  concepts: string; // the lexicon, if passages were looked for by meaning too
  address: string; // of the report on a server, where its public address is known
  institution: string; // whose server made it
  recipient: string; // to whom it was shown by a link
}

/** What a person should know about how a file was read. */
export interface NoteView {
  name: string;
  kind: string;
  message: string; // in English
  in_part: boolean; // something of the file was not read
  is_disguise: boolean;
  places: Span[];
  pages: number[]; // where pages are known
  said: Message | null; // the same, for other languages
  is_mended: boolean; // what was found was repaired or left out before the comparison
}

/**
 * A document: who it is, and the stretches of its text that the report holds.
 *
 * The checked document is there whole, as one stretch; of a source there is what was found, with
 * a little around it.
 */
export interface TextView {
  name: string;
  language: string | null;
  sha256: string; // of the file; of the text where there was no file
  is_file: boolean;
  length: number; // in code points
  words: number;
  pages: [number, number, number][]; // number, start, end
  stretches: [number, string][]; // start, text; apart from each other and in order
  author: string;
  title: string;
  fetched: string; // of a page of the web: when it was as it is here; ISO 8601, UTC
  advisor: string; // these three where a library or a request tells them
  year: number | null;
  type: string;
  label: string; // what people call it, the name of its student; empty where it is its name
}

/** A stretch of the document that stands in a source, with what differs marked. */
export interface PassageView {
  source: number; // number in the list of sources; in a collection 0
  a: Span;
  b: Span;
  kind: Kind;
  score: number;
  words: number;
  holders: number; // documents compared with that hold it, this source among them
  pages_a: PageRange | null;
  pages_b: PageRange | null;
  differs_a: Span[];
  differs_b: Span[];
  counts: boolean; // a fragment is shown and does not count
  number: number | null; // of those that count, in the order of the text, from 1
  literal: number; // of the words here, those that are unchanged and in order there
  expected: number | null; // how many as strong as this one chance would give
  languages: [string, string] | null; // of a translated one: here, and in the source
  by_meaning: boolean; // found by what it means: for a person to read
  unchanged: Span[]; // of an edited one: where words stand as in the source
  correspondences: Correspondence[];
}

/** Every measure of a pair by its name, and how far some of them agree. */
export interface MeasuresView extends Record<MeasureName, number> {
  agreement: number;
  low: number;
  high: number;
  level: number;
  inside: string[]; // which measures of the agreement lie inside the interval
}

/** A document that holds text of the checked one. */
export interface SourceView {
  text: TextView;
  covered: number; // visible characters of the checked text that it covers
  counted: number; // of these, those that no source above it explains
  under: number | null; // the source that explains its text, where it adds nothing
  measures: MeasuresView | null;
  passages: number;
  fragments: number;
  pictures: [string, string][]; // copied figures: where here, where there
  covered_b: number; // visible characters of the source that stand in the checked text
  whole_b: number; // all visible characters of the source
  literal: number; // of the checked text: what stands unchanged in it
  listings: number; // programs and figures of the checked document that stand in it too
}

/** A stretch that is not to count as copied. */
export interface ExclusionView {
  place: Span;
  reason: ExclusionReason;
  detail: string; // the citation or the heading
  holders: number; // of common text: how many documents hold it
  pages: PageRange | null;
}

/**
 * The checked text cut where a passage, its unchanged words or an exclusion begin or end.
 *
 * Segment i runs from cuts[i] to cuts[i + 1]. With these whole numbers the page counts shares as
 * `align.without` does, whatever the reader takes out.
 */
export interface SegmentsView {
  cuts: number[];
  visible: number[]; // characters that can be seen
  state: State[];
}

/** Visible characters by what they are; they add up to `whole`. */
export interface SharesView {
  whole: number;
  original: number;
  similar: number;
  quoted: number;
  excluded: number;
}

/** Similar characters by their wording; those of which it counts add up to `similar`. */
export interface WordingsView {
  word_for_word: number;
  reworded: number;
  translated: number;
}

/** What was not compared, and why. */
export interface UncheckedView {
  unread: [string, string, Message | null][]; // name, reason in English, the same as data
  skipped: string[]; // sources that were not to be compared
  left_out: [string, number][]; // of the document: why, and how many characters
  other_languages: number;
  called: string[]; // those of `unread`, by people: the names of their students
}

/** What stands in a cell here and there; `missing` is only here, `added` only there. */
export interface TableCellView {
  a: string;
  b: string;
  state: CellState;
}

/**
 * A column of the checked table and the one that it is there, by their places from 0.
 *
 * Where the other table is turned, columns here are rows there.
 */
export interface TableColumnView {
  a: number | null;
  b: number | null;
  moved: boolean;
}

/** The same for a row, with a cell for each column that is shown. */
export interface TableRowView {
  a: number | null;
  b: number | null;
  moved: boolean;
  cells: TableCellView[];
}

/** A table that stands in another document too, aligned with it cell by cell. */
export interface TableMatchView {
  name: string; // of the other document
  source: number | null; // its number in the list of sources, if it is there
  caption_a: string;
  caption_b: string;
  page_a: number | null;
  page_b: number | null;
  place_a: Span;
  score: number;
  share_a: number; // of the table that the other explains
  share_b: number;
  transposed: boolean;
  columns: TableColumnView[];
  rows: TableRowView[];
  more_rows: number; // that are not shown
  more_columns: number;
}

/** A document of another institution that shares fingerprints; its text is not here. */
export interface PartnerView {
  library: string;
  name: string;
  share: number; // of the fingerprints of the checked text
  told: Record<string, string>; // what the institution tells about it
}

/** What somebody took out of the count, and on which pages it stands. */
export interface DecisionView {
  source: string | null;
  place: Span | null;
  pages: PageRange | null;
  by: string;
  on: string; // ISO 8601, UTC, to the second
  reason: string;
}

/** A query that left the machine: these very words went to this host at this time. */
export interface QueryView {
  provider: string;
  query: string;
  sent_to: string;
  on: string; // ISO 8601, UTC, to the second
  results: number;
  problem: string; // in English; empty where there was none
  said: Message | null; // the problem, for other languages
}

/** One document against many, or two documents against each other. */
export interface CheckView {
  kind: "check" | "pair";
  made: ProvenanceView;
  document: TextView;
  shares: SharesView;
  sources: SourceView[];
  passages: PassageView[]; // in the order of the document, fragments among them
  exclusions: ExclusionView[];
  segments: SegmentsView;
  documents: number; // compared with
  unchecked: UncheckedView;
  notes: NoteView[];
  taken_out: string[]; // sources that a reader excluded
  shares_before: SharesView | null; // the shares, before a reader excluded anything
  tables: TableMatchView[]; // copied ones, the likest first
  partners: PartnerView[];
  decisions: DecisionView[]; // of those who took something out, where it is known
  confirmations: Confirmation[];
  asked: QueryView[]; // the log of queries: all that was sent to search engines
  literal: number; // of the text: what stands unchanged and in order in a source
  too_short: boolean; // too few words to be called original
  listings: PassageView[]; // programs and figures that stand in a source too
  wordings: WordingsView;
  count: Wording[]; // which of them count
  comments: CommentRow[]; // beside places of the text, in its order
  copied_tables: number; // tables of the document that stand in a source
  copied_pictures: number; // the same of pictures, those of excluded text apart
  commission: CommissionRow[]; // what it decided, the first first
  is_for_student: boolean; // sources that are not open have neither name nor text
}

/** Two documents of a collection that share text. */
export interface PairView {
  a: number; // numbers in the list of documents
  b: number;
  similarity: number; // by the measure asked for
  measures: MeasuresView | null; // of records of a corpus only the overlaps are known: None
  jaccard: number;
  containment_a: number;
  containment_b: number;
  passages: PassageView[];
  by_meaning: boolean; // found by meaning alone, whatever the threshold; these come last
  later: "" | "a" | "b"; // the one that came when the other had been checked
}

/** Documents tied together; `more` of them are not listed. */
export interface ClusterView {
  members: number[];
  weakest: number;
  more: number;
}

/** What a threshold of a deduplication comes to. */
export interface ThresholdView {
  threshold: number;
  pairs: number;
  clusters: number;
  kept: number;
  removed: number;
}

/** Pairs and clusters of a collection, of two, or of a corpus. */
export interface CollectionView {
  kind: "find" | "cross" | "dedup";
  made: ProvenanceView;
  names: string[]; // of the collections
  measure: string;
  threshold: number;
  method: string;
  documents: number; // that were compared
  texts: TextView[]; // those that the pairs and clusters name
  sides: number[]; // of each text: the number of its collection
  pairs: PairView[]; // the strongest, then those by meaning
  all_pairs: number;
  histogram: number[]; // of all pairs by words: hundredths of similarity, the last holds 1
  clusters: ClusterView[];
  all_clusters: number;
  thresholds: ThresholdView[];
  unchecked: UncheckedView;
  notes: NoteView[];
  by_meaning: boolean; // pairs were looked for by meaning too, whatever the threshold
}

/** Documents handed in together: each against a library, and all against each other. */
export interface BatchView {
  kind: "batch";
  made: ProvenanceView;
  against: string; // the name of the library, empty where there is none
  checks: CheckView[]; // the one with the largest similar share first
  collection: CollectionView; // among each other
  unchecked: UncheckedView;
}

export type View = CheckView | CollectionView | BatchView;
