// What a threshold comes to: which pairs reach it, and what clusters they make. The reader may raise
// it above the one that was searched with, never lower it: weaker pairs were not looked for,
// or by meaning alone, which has no threshold.

import type { CollectionView } from "../view";
import { clustersOf, reaching, type Cluster } from "./clusters";

export interface ThresholdResult {
  threshold: number;
  pairs: number; // all that reach it, by their words
  listed: number; // of these, those in the report: the first of the ranking
  clusters: Cluster[];
  allClusters: number;
  complete: boolean; // false where the clusters are those of the listed pairs alone
}

/** The lowest hundredth that the reader may choose; it stands for the threshold searched with. */
export function lowest(view: CollectionView): number {
  return Math.floor(view.threshold * 100 + 1e-9);
}

/** The threshold that a hundredth stands for. */
export function thresholdAt(view: CollectionView, hundredth: number): number {
  return Math.max(view.threshold, hundredth / 100);
}

/** How many of the pairs were found by their words: the first ones. Meaning has no threshold. */
export function foundByWords(view: CollectionView): number {
  const first = view.pairs.findIndex((pair) => pair.by_meaning);
  return first < 0 ? view.pairs.length : first;
}

export function atThreshold(view: CollectionView, hundredth: number): ThresholdResult {
  const threshold = thresholdAt(view, hundredth);
  const searchedWith = threshold === view.threshold;
  const byWords = view.pairs.slice(0, foundByWords(view));
  const all = view.all_pairs - (view.pairs.length - byWords.length);
  const listed = reaching(byWords, threshold);
  const pairs = searchedWith ? all : byWords.length === all ? listed : allReaching(view, hundredth, listed);
  if (searchedWith && listed < pairs) {
    const { clusters, all_clusters: allClusters } = view;
    return { threshold, pairs, listed, clusters, allClusters, complete: true };
  }
  const clusters = clustersOf(view.pairs.slice(0, listed));
  const known = view.thresholds.find((each) => each.threshold === threshold);
  return {
    threshold,
    pairs,
    listed,
    clusters,
    allClusters: listed < pairs && known ? known.clusters : clusters.length,
    complete: listed === pairs,
  };
}

function allReaching(view: CollectionView, hundredth: number, listed: number): number {
  return Math.max(
    listed,
    view.histogram.slice(hundredth).reduce((sum, count) => sum + count, 0),
  );
}
