// Made by ui/shapes.py from the registry of measures; not to be edited.

/** The measures of a pair in the order of results: what each is called in the agreement, if it
 * takes part in it, and its row among the shares of text, if it is one. */
export const MEASURES = [
  { name: "jaccard", agreesAs: "shingles", row: 30 },
  { name: "containment_a", agreesAs: null, row: 10 },
  { name: "containment_b", agreesAs: null, row: 20 },
  { name: "dice", agreesAs: null, row: 40 },
  { name: "signature", agreesAs: "signature", row: null },
  { name: "tfidf", agreesAs: "tfidf", row: null },
  { name: "words", agreesAs: "words", row: null },
] as const;

export type MeasureName = (typeof MEASURES)[number]["name"];
