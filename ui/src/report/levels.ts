// How much of a text may be shared before somebody should look: two thresholds, which an
// administrator sets. Colours follow them everywhere.

import { inject, ref, type InjectionKey, type Ref } from "vue";

export interface Thresholds {
  notice: number; // from this share on
  high: number;
}

export type Level = "low" | "notice" | "high";

/** What holds where nobody has set others, as in a report that is a file. */
export const DEFAULT_THRESHOLDS: Thresholds = { notice: 0.2, high: 0.4 };

/** Given by the pages of a server. */
export const THRESHOLDS: InjectionKey<Ref<Thresholds>> = Symbol("thresholds");

export function useThresholds(): Ref<Thresholds> {
  return inject(THRESHOLDS, () => ref(DEFAULT_THRESHOLDS), true);
}

/** The class `level-…` of an element has its colour as `--level` and a wash as `--level-wash`. */
export function levelOf(share: number, { notice, high }: Thresholds): Level {
  return share >= high ? "high" : share >= notice ? "notice" : "low";
}
