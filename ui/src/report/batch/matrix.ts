// The documents of the strongest pairs, those of one cluster beside each other, and their pairs.

import { graphOf, type RankedTie } from "../collection/graph";
import type { ThresholdResult } from "../collection/threshold";
import type { CollectionView } from "../view";

export const MOST = 60; // documents that a table of numbers can be read with

export interface Matrix {
  texts: number[];
  pairs: Map<number, number>[]; // of each row: the pair in a column
  hidden: number; // documents that found no room
}

export function matrixOf(view: CollectionView, result: ThresholdResult): Matrix {
  const clusterOf = new Map<number, number>();
  result.clusters.forEach(({ members }, i) => members.forEach((text) => clusterOf.set(text, i)));
  const ties: RankedTie[][] = result.clusters.map(() => []);
  const listedPairs = view.pairs.slice(0, result.listed);
  listedPairs.forEach(({ a, b, similarity }, rank) => {
    ties[clusterOf.get(a) ?? -1]?.push({ a, b, similarity, rank });
  });
  const texts: number[] = [];
  let all = 0;
  result.clusters.forEach(({ members, more }, i) => {
    all += members.length + more;
    // From each document to the one that is tied to it most strongly.
    if (texts.length < MOST) texts.push(...graphOf(members, ties[i]!).nodes);
  });
  texts.splice(MOST);
  const place = new Map(texts.map((text, i) => [text, i]));
  const pairs = texts.map(() => new Map<number, number>());
  listedPairs.forEach(({ a, b }, rank) => {
    const [row, column] = [place.get(a), place.get(b)];
    if (row === undefined || column === undefined) return;
    pairs[row]!.set(column, rank);
    pairs[column]!.set(row, rank);
  });
  return { texts, pairs, hidden: all - texts.length };
}
