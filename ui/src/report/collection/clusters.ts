// Documents tied together by pairs, as src/likewise/search/clusters.py ties them.

export interface Tie {
  a: number;
  b: number;
  similarity: number;
}

export interface Cluster {
  members: number[];
  weakest: number; // the weakest tie that is needed to hold it together
  more: number; // members that the report does not list
}

/**
 * Union-find over the ties from the strongest to the weakest: the last that joins two groups is the
 * weakest that holds them. Largest clusters first, then by their first documents.
 */
export function clustersOf(ties: readonly Tie[]): Cluster[] {
  const parent = new Map<number, number>();
  const weakest = new Map<number, number>();

  function root(node: number): number {
    let top = node;
    for (let next = parent.get(top); next !== undefined && next !== top; next = parent.get(top))
      top = next;
    while (node !== top) {
      const next = parent.get(node) as number;
      parent.set(node, top);
      node = next;
    }
    return top;
  }

  for (const { a, b, similarity } of strongestFirst(ties)) {
    if (!parent.has(a)) parent.set(a, a);
    if (!parent.has(b)) parent.set(b, b);
    const first = root(a);
    const second = root(b);
    if (first === second) continue;
    const [kept, joined] = first < second ? [first, second] : [second, first];
    parent.set(joined, kept);
    weakest.set(kept, similarity);
  }

  const together = new Map<number, number[]>();
  for (const node of [...parent.keys()].sort((a, b) => a - b)) {
    const top = root(node);
    const members = together.get(top);
    if (members) members.push(node);
    else together.set(top, [node]);
  }
  return [...together]
    .map(([top, members]) => ({ members, weakest: weakest.get(top) ?? 1, more: 0 }))
    .sort((a, b) => b.members.length - a.members.length || a.members[0]! - b.members[0]!);
}

/** The ties in falling order; a view's pairs already are, and are left as they stand. */
function strongestFirst<T extends Tie>(ties: readonly T[]): readonly T[] {
  const inOrder = ties.every((tie, i) => !i || ties[i - 1]!.similarity >= tie.similarity);
  return inOrder ? ties : [...ties].sort((a, b) => b.similarity - a.similarity);
}

/** How many of the ties reach a threshold, where they come strongest first. */
export function reaching(ties: readonly Tie[], threshold: number): number {
  let low = 0;
  let high = ties.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ties[middle]!.similarity >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}
