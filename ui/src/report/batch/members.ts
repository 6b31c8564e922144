// The documents of a batch in a line each: the twin of src/likewise/report/batch.py, counted anew
// where the reader took something out.

import { computed, type ComputedRef, type ShallowRef } from "vue";

import type { Words } from "../../words";
import { fourShares, hasFigures } from "../figures";
import { wordingShares } from "../kinds";
import { noExclusions } from "../reader";
import { recount, type ReaderExclusions } from "../recount";
import type { BatchView, CheckView, SharesView } from "../view";

/** Percent of similar text, where the verdict's words change. */
export const STEPS = [5, 25, 75] as const;

export interface Member {
  document: number; // from 0, in the order of the checks
  name: string;
  shares: SharesView;
  tenths: [number, number, number, number] | null; // nothing where nothing could be counted
  wordings: string[]; // the similar text by its wording, as it is told; nothing where there is none
  similar: number; // a share, for sorting
  before: number | null; // similar tenths before the reader took something out
  best: { source: number; share: number; isOfBatch: boolean } | null;
  closest: { name: string; similarity: number; pair: number } | null;
  tricks: string[]; // kinds of disguises
  isInPart: boolean;
}

export interface Members {
  readerExclusions: ShallowRef<ReaderExclusions>[]; // of each document
  all: ComputedRef<Member>[];
}

export function useMembers(view: BatchView, words: ComputedRef<Words>): Members {
  const readerExclusions = view.checks.map(() => noExclusions());
  const closest = closestOf(view);
  const handedIn = new Set(view.checks.map(({ document }) => keyOf(document)));
  const all = view.checks.map((check, document) => {
    const { name } = check.document;
    const own = check.notes.filter((note) => note.name === name);
    const tricks = [...new Set(own.flatMap(({ is_disguise, kind }) => (is_disguise ? [kind] : [])))];
    const isInPart = own.some((note) => note.in_part);
    return computed<Member>(() => {
      const without = readerExclusions[document]!.value;
      const { shares, wordings, standings } = recount(check, without);
      const whole = shares.whole || 1;
      let best: Member["best"] = null;
      let covers = 0;
      for (const { source, covered } of standings) {
        if (covered <= covers) continue;
        covers = covered;
        const isOfBatch = handedIn.has(keyOf(check.sources[source]!.text));
        best = { source, share: covered / whole, isOfBatch };
      }
      const isChanged = without.sources.size + without.passages.size > 0;
      return {
        document,
        name,
        shares,
        tenths: hasFigures(check) ? fourShares(shares) : null,
        wordings: hasFigures(check) ? wordingShares(words.value, shares, wordings, check.count) : [],
        similar: shares.similar / whole,
        before: isChanged ? fourShares(check.shares)[1] : null,
        best,
        closest: closest.get(name) ?? null,
        tricks,
        isInPart,
      };
    });
  });
  return { readerExclusions, all };
}

/** Whether so many percent of a document are similar, or more. */
export function isFrom({ shares }: Member, percent: number): boolean {
  return shares.similar > 0 && shares.similar * 100 >= percent * shares.whole;
}

function closestOf(view: BatchView): Map<string, NonNullable<Member["closest"]>> {
  const closest = new Map<string, NonNullable<Member["closest"]>>();
  const { texts, pairs } = view.collection;
  pairs.forEach(({ a, b, similarity }, pair) => {
    for (const [one, other] of [
      [texts[a]!.name, texts[b]!.name],
      [texts[b]!.name, texts[a]!.name],
    ] as const) {
      if (!closest.has(one)) closest.set(one, { name: other, similarity, pair });
    }
  });
  return closest;
}

/** A document of the library may have the name of one that was handed in, but not its text too. */
function keyOf({ name, sha256 }: CheckView["document"]): string {
  return `${sha256} ${name}`;
}
