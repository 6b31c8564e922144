// The documents of a batch in a line each: the twin of src/likewise/report/batch.py, counted anew
// where the reader took something out.

import { computed, type ComputedRef, type ShallowRef } from "vue";

import type { Words } from "../../words";
import { fourShares, hasFigures } from "../figures";
import { wordingShares } from "../kinds";
import { noExclusions } from "../reader";
import { recount, type ReaderExclusions } from "../recount";
import { calledOf } from "../names";
import type { BatchView, CheckView, CollectionView, SharesView } from "../view";

export interface Member {
  document: number; // from 0, in the order of the checks
  name: string;
  called: string; // by people
  shares: SharesView;
  tenths: [number, number, number, number] | null; // nothing where nothing could be counted
  kinds: string[]; // of these, those that there are
  wordings: string[]; // the similar text by its wording, as it is told; nothing where there is none
  similar: number; // a share, for sorting
  before: number | null; // similar tenths before the reader took something out
  best: { name: string; share: number; isOfBatch: boolean } | null;
  closest: { name: string; share: number; pair: number | null; isLater: boolean } | null;
  inOthers: ReadonlyMap<string, number>; // by name of the group: the share that stands there
  tricks: string[]; // kinds of disguises
  isInPart: boolean;
}

export interface Members {
  readerExclusions: ShallowRef<ReaderExclusions>[]; // of each document
  all: ComputedRef<Member>[];
}

export function useMembers(view: BatchView, words: ComputedRef<Words>): Members {
  const readerExclusions = view.checks.map(() => noExclusions());
  const pairs = pairsByName(view);
  const later = laterOnes(view);
  const handedIn = new Set(view.checks.map(({ document }) => keyOf(document)));
  const all = view.checks.map((check, document) => {
    const { name } = check.document;
    const called = calledOf(check.document);
    const own = check.notes.filter((note) => note.name === name);
    const tricks = [...new Set(own.flatMap(({ is_disguise, kind }) => (is_disguise ? [kind] : [])))];
    const isInPart = own.some((note) => note.in_part);
    return computed<Member>(() => {
      const without = readerExclusions[document]!.value;
      const { shares, wordings, standings } = recount(check, without);
      const whole = shares.whole || 1;
      // Both are measured alike: where the best source is of the group, it is the closest too.
      let best: Member["best"] = null;
      let closest: Member["closest"] = null;
      const inOthers = new Map<string, number>();
      for (const { source, covered } of standings) {
        const { text } = check.sources[source]!;
        const share = covered / whole;
        const isOfBatch = handedIn.has(keyOf(text));
        if (isOfBatch) inOthers.set(text.name, share);
        if (share > (best?.share ?? 0)) best = { name: text.name, share, isOfBatch };
        if (!isOfBatch || share <= (closest?.share ?? 0)) continue;
        const pair = pairs.get(pairKey(name, text.name)) ?? null;
        closest = { name: text.name, share, pair, isLater: false };
      }
      for (const each of later.get(name) ?? [])
        if (each.share > (closest?.share ?? 0)) closest = each;
      const isChanged = without.sources.size + without.passages.size > 0;
      return {
        document,
        name,
        called,
        shares,
        tenths: hasFigures(check) ? fourShares(shares) : null,
        wordings: hasFigures(check) ? wordingShares(words.value, shares, wordings, check.count) : [],
        kinds: hasFigures(check) ? wordingShares(words.value, shares, wordings, check.count, true) : [],
        similar: shares.similar / whole,
        before: isChanged ? fourShares(check.shares)[1] : null,
        best,
        closest,
        inOthers,
        tricks,
        isInPart,
      };
    });
  });
  return { readerExclusions, all };
}

/**
 * The pairs of a batch, measured as its documents are: by the text that counts. Two documents have
 * one figure everywhere; the twin of `counted_pairs` in src/likewise/report/batch.py.
 */
export function countedPairs(view: BatchView, members: readonly Member[]): CollectionView {
  const { texts, pairs } = view.collection;
  const byName = new Map(members.map((member) => [member.name, member.inOthers]));
  const shareOf = (here: number, there: number) =>
    byName.get(texts[here]!.name)?.get(texts[there]!.name) ?? 0;
  return {
    ...view.collection,
    pairs: pairs.map((pair) => {
      const [inB, inA] = [shareOf(pair.a, pair.b), shareOf(pair.b, pair.a)];
      // The report of what was checked before does not know of the other.
      const a = pair.later === "b" ? pair.containment_a : inB;
      const b = pair.later === "a" ? pair.containment_b : inA;
      return { ...pair, similarity: Math.max(a, b), containment_a: a, containment_b: b };
    }),
  };
}

type Closest = NonNullable<Member["closest"]>;

/** Of each document that was checked before, the later ones that share its text. */
function laterOnes(view: BatchView): Map<string, Closest[]> {
  const found = new Map<string, Closest[]>();
  const { texts, pairs } = view.collection;
  pairs.forEach(({ a, b, later, containment_a, containment_b }, pair) => {
    if (!later) return;
    const [here, there] = later === "b" ? [a, b] : [b, a];
    const share = later === "b" ? containment_a : containment_b;
    const own = found.get(texts[here]!.name) ?? [];
    own.push({ name: texts[there]!.name, share, pair, isLater: true });
    found.set(texts[here]!.name, own);
  });
  return found;
}

const pairKey = (one: string, other: string) => `${one}\n${other}`;

function pairsByName(view: BatchView): Map<string, number> {
  const byName = new Map<string, number>();
  const { texts, pairs } = view.collection;
  pairs.forEach(({ a, b }, pair) => {
    const [one, other] = [texts[a]!.name, texts[b]!.name];
    for (const key of [pairKey(one, other), pairKey(other, one)])
      if (!byName.has(key)) byName.set(key, pair);
  });
  return byName;
}

/** A document of the library may have the name of one that was handed in, but not its text too. */
function keyOf({ name, sha256 }: CheckView["document"]): string {
  return `${sha256} ${name}`;
}
