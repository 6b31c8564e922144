// Whole numbers that add up, for people: the twin of src/likewise/report/figures.py.

import type { CheckView, SharesView, TextView } from "./view";

/**
 * Shares in tenths of a percent that add up to exactly 1000, by the largest remainders; of equal
 * remainders the first is rounded up.
 */
export function tenths(counts: readonly number[], whole: number): number[] {
  if (!whole) return counts.map((_, i) => (i ? 0 : 1000));
  const shares = counts.map((count) => Math.floor((count * 1000) / whole));
  const rest = counts.map((count) => (count * 1000) % whole);
  const missing = 1000 - shares.reduce((sum, share) => sum + share, 0);
  const upwards = counts.map((_, i) => i).sort((i, j) => rest[j]! - rest[i]! || i - j);
  for (const i of upwards.slice(0, missing)) shares[i]! += 1;
  return shares;
}

/** The four shares in tenths of a percent, in the order in which they are shown. */
export function fourShares(shares: SharesView): [number, number, number, number] {
  const { whole, original, similar, quoted, excluded } = shares;
  return tenths([original, similar, quoted, excluded], whole) as [number, number, number, number];
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
  | "nearly_all";

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
  if (similar * 100 < whole * 5) return "little";
  if (similar * 100 < whole * 25) return "some";
  return similar * 100 < whole * 75 ? "much" : "nearly_all";
}
