// Whole numbers that add up, for people: the twin of src/likewise/report/figures.py.

import type { CheckView, SharesView, TextView, Wording, WordingsView } from "./view";

/**
 * Shares in tenths of a percent that add up to exactly a total, by the largest remainders; of equal
 * remainders the first is rounded up.
 */
export function tenths(counts: readonly number[], whole: number, total = 1000): number[] {
  if (!whole) return counts.map((_, i) => (i ? 0 : total));
  const shares = counts.map((count) => Math.floor((count * total) / whole));
  const rest = counts.map((count) => (count * total) % whole);
  const missing = total - shares.reduce((sum, share) => sum + share, 0);
  const upwards = counts.map((_, i) => i).sort((i, j) => rest[j]! - rest[i]! || i - j);
  for (const i of upwards.slice(0, missing)) shares[i]! += 1;
  return shares;
}

/** The four shares in tenths of a percent, in the order in which they are shown. */
export function fourShares(shares: SharesView): [number, number, number, number] {
  const { whole, original, similar, quoted, excluded } = shares;
  return tenths([original, similar, quoted, excluded], whole) as [number, number, number, number];
}

/** The similar text by its wording, in tenths of a percent: those that count add up to the similar
 * share as it is shown; of the others each is rounded by itself. */
export function wordingTenths(
  shares: SharesView,
  wordings: WordingsView,
  count: readonly Wording[],
): Record<Wording, number> {
  const { whole, similar } = shares;
  if (!whole) return { word_for_word: 0, reworded: 0, translated: 0 };
  const counted = tenths(count.map((each) => wordings[each]), similar, fourShares(shares)[1]);
  const figure = (each: Wording): number => {
    const at = count.indexOf(each);
    return at < 0 ? tenths([wordings[each], whole - wordings[each]], whole)[0]! : counted[at]!;
  };
  return {
    word_for_word: figure("word_for_word"),
    reworded: figure("reworded"),
    translated: figure("translated"),
  };
}

/** Whether there was something to count: enough text, and another to hold it against. */
export function hasFigures({ shares, documents, taken_out, too_short }: CheckView): boolean {
  return shares.whole > 0 && !too_short && (documents > 0 || taken_out.length > 0);
}

const MOST_CHECKS = 1e9; // beyond, nobody counts

/** In how many checks chance would give fewer than one passage, as a round number. */
export function checksForOne(expected: number): number {
  if (expected * MOST_CHECKS <= 1) return MOST_CHECKS;
  const checks = Math.floor(1 / expected);
  const unit = 10 ** (String(checks).length - 1);
  return Math.floor(checks / unit) * unit;
}

/** What a source is called that is the checked document itself; else nothing. */
export function sameAs(document: TextView, source: TextView): "same_file" | "same_text" | null {
  if (source.sha256 !== document.sha256 || source.is_file !== document.is_file) return null;
  return source.is_file ? "same_file" : "same_text";
}

export type Verdict =
  | "empty"
  | "too_short"
  | "nothing"
  | "none"
  | "only_short"
  | "only_uncounted"
  | "little"
  | "some"
  | "much"
  | "most"
  | "nearly_all"
  | "all";

/** Up to how many hundredths of the text a sentence is true. */
const STEPS = [
  [5, "little"],
  [25, "some"],
  [50, "much"],
  [95, "most"],
  [100, "nearly_all"],
] as const;

/** Which sentence of the catalogue tells what was found. */
export function verdictKey(
  shares: SharesView,
  passages: number,
  fragments: number,
  documents: number,
  tooShort = false,
): Verdict {
  const { whole, similar } = shares;
  if (!whole) return "empty";
  if (tooShort) return "too_short";
  if (!similar) {
    if (passages || fragments) return passages ? "only_uncounted" : "only_short";
    return documents ? "none" : "nothing";
  }
  return STEPS.find(([top]) => similar * 100 < whole * top)?.[1] ?? "all";
}
