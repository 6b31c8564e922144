// What of a cluster is drawn: a connected part that stays readable, its strongest ties first.

import type { Tie } from "./clusters";

export const MOST_NODES = 150;
export const MOST_EDGES = 300; // more is a grey cloud

export interface Graph {
  nodes: number[]; // numbers of documents
  edges: Edge[];
  hiddenNodes: number;
  hiddenEdges: number;
}

export interface Edge {
  from: number; // places in `nodes`
  to: number;
  pair: number; // rank of the pair, from 0
  similarity: number;
}

/** Where a tie stands in the ranking of pairs. */
export interface RankedTie extends Tie {
  rank: number;
}

/**
 * Grown from the best tied document along the strongest tie that leaves what is drawn (Prim), so that
 * what is cut off is what hangs on loosely. The ties of that tree are always drawn.
 */
export function graphOf(members: readonly number[], ties: readonly RankedTie[]): Graph {
  const around = new Map<number, RankedTie[]>(members.map((member) => [member, []]));
  for (const tie of ties) {
    around.get(tie.a)?.push(tie);
    around.get(tie.b)?.push(tie);
  }
  const place = new Map<number, number>();
  const tree = new Set<number>();
  const begin = [...members].sort((a, b) => size(around, b) - size(around, a) || a - b);
  for (const first of begin) {
    if (place.size >= MOST_NODES) break;
    if (!place.has(first)) grow(first, around, place, tree);
  }
  const drawable = ties.filter((tie) => place.has(tie.a) && place.has(tie.b));
  let remainingEdges = Math.max(0, MOST_EDGES - tree.size);
  const drawnTies = drawable.filter((tie) => tree.has(tie.rank) || remainingEdges-- > 0);
  return {
    nodes: [...place.keys()],
    edges: drawnTies.map((tie) => ({
      from: place.get(tie.a) as number,
      to: place.get(tie.b) as number,
      pair: tie.rank,
      similarity: tie.similarity,
    })),
    hiddenNodes: members.length - place.size,
    hiddenEdges: ties.length - drawnTies.length,
  };
}

function size(around: Map<number, RankedTie[]>, node: number): number {
  return around.get(node)?.length ?? 0;
}

/** Draws everything that hangs on a document, while there is room. */
function grow(
  first: number,
  around: Map<number, RankedTie[]>,
  place: Map<number, number>,
  tree: Set<number>,
): void {
  const best = new Map<number, RankedTie>(); // of every document next to the drawn ones: its best tie
  let joining: number | undefined = first;
  while (joining !== undefined && place.size < MOST_NODES) {
    place.set(joining, place.size);
    best.delete(joining);
    for (const tie of around.get(joining) ?? []) {
      const other = tie.a === joining ? tie.b : tie.a;
      const known = best.get(other);
      if (!place.has(other) && (!known || known.rank > tie.rank)) best.set(other, tie);
    }
    let strongest: RankedTie | undefined;
    joining = undefined;
    for (const [node, tie] of best) {
      if (!strongest || tie.rank < strongest.rank) {
        strongest = tie;
        joining = node;
      }
    }
    if (strongest && place.size < MOST_NODES) tree.add(strongest.rank);
  }
}
