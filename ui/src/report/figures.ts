// Whole numbers that add up, for people: the twin of src/likewise/report/figures.py.

import type { SharesView } from "./view";

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

export type Verdict =
  | "empty"
  | "none"
  | "only_short"
  | "only_uncounted"
  | "little"
  | "some"
  | "much"
  | "nearly_all";

/** Which sentence of the catalogue tells what was found. */
export function verdictKey(shares: SharesView, passages: number, fragments: number): Verdict {
  const { whole, similar } = shares;
  if (!whole) return "empty";
  if (!similar) return passages ? "only_uncounted" : fragments ? "only_short" : "none";
  if (similar * 100 < whole * 5) return "little";
  if (similar * 100 < whole * 25) return "some";
  return similar * 100 < whole * 75 ? "much" : "nearly_all";
}
