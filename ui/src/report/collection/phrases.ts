// Words that depend on what kind of collection it is.

import type { Words } from "../../words";
import type { CollectionView } from "../view";

/** So many documents, which in a corpus are records. */
export function documentCount(words: Words, view: CollectionView, n: number): string {
  return words.say(view.kind === "dedup" ? "count.records" : "count.documents", { n });
}

/** What a collection says of documents, a corpus says of records. */
export function collectionPhrase(words: Words, view: CollectionView, key: string): string {
  const own = key.replace(/^\w+/, "records");
  return words.say(view.kind === "dedup" && words.has(own) ? own : key);
}

/** That there is no pair at all, by whatever was looked for. */
export function noPairs(words: Words, view: CollectionView): string {
  return view.by_meaning
    ? words.say("collection.no_pairs.by_meaning")
    : collectionPhrase(words, view, "collection.no_pairs");
}

export function measureName(words: Words, view: CollectionView): string {
  const key = `measure.${view.measure}`;
  return words.has(key) ? collectionPhrase(words, view, key) : view.measure;
}

export function methodName(words: Words, view: CollectionView): string {
  const key = `method.${String(view.made.settings.method)}`;
  return words.has(key) ? words.say(key) : view.method;
}
