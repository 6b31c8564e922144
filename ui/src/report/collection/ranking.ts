// The pairs of a collection as the reader asks for them: by a threshold and by a name.

import { computed, ref, type ComputedRef, type Ref } from "vue";

import type { CollectionView } from "../view";
import { searchKey } from "./names";
import { atThreshold, lowest, type ThresholdResult } from "./threshold";

export interface Ranking {
  hundredth: Ref<number>;
  result: ComputedRef<ThresholdResult>;
  search: Ref<string>;
  ranks: ComputedRef<number[]>;
  around: (pair: number) => { previous: number | undefined; next: number | undefined };
}

/** The strongest first; by `strength` where somebody knows better than the view. */
export function useRanking(
  view: CollectionView,
  strength?: (pair: number) => number,
): Ranking {
  const hundredth = ref(lowest(view));
  const result = computed(() => atThreshold(view, hundredth.value));
  const search = ref("");
  const searchKeys = computed(() => view.texts.map((text) => searchKey(`${text.label} ${text.name}`)));
  const ranks = computed(() => {
    const query = searchKey(search.value.trim());
    const { listed } = result.value;
    const hasName = (text: number) => searchKeys.value[text]!.includes(query);
    const matches = view.pairs.flatMap(({ a, b, by_meaning }, rank) =>
      (rank < listed || by_meaning) && (!query || hasName(a) || hasName(b)) ? [rank] : [],
    );
    if (!strength) return matches;
    const isByMeaning = (rank: number) => Number(view.pairs[rank]!.by_meaning); // these stay last
    return matches.sort(
      (x, y) => isByMeaning(x) - isByMeaning(y) || strength(y) - strength(x) || x - y,
    );
  });

  /** The pairs before and after one, as the reader has filtered them. */
  function around(pair: number): { previous: number | undefined; next: number | undefined } {
    const at = ranks.value.indexOf(pair);
    if (at >= 0) return { previous: ranks.value[at - 1], next: ranks.value[at + 1] };
    return {
      previous: pair > 0 ? pair - 1 : undefined,
      next: pair + 1 < view.pairs.length ? pair + 1 : undefined,
    };
  }

  return { hundredth, result, search, ranks, around };
}
