// How passages were taken over, in words: the twin of what src/likewise/report/paper/sentences.py and
// src/likewise/model.py say of kinds and wordings.

import type { Words } from "../words";
import { wordingTenths } from "./figures";
import type { Kind, PassageView, SharesView, Span, Wording, WordingsView } from "./view";

/** How similar text stands to its source, the strongest first. */
export const WORDINGS: readonly Wording[] = ["word_for_word", "reworded", "translated"];

const WORDING_OF: Readonly<Record<Kind, Wording>> = {
  verbatim: "word_for_word",
  edited: "reworded", // but for its unchanged words
  rewritten: "reworded",
  summarised: "reworded",
  translated: "translated",
};

/** Stretches of a passage by their wording. */
export function wordingsOf({ a, kind, unchanged }: PassageView): [Span, Wording][] {
  const same = unchanged.map((span): [Span, Wording] => [span, "word_for_word"]);
  return [[a, WORDING_OF[kind]], ...same];
}

/** The kind of a passage; of a translated one with both languages, as far as they have words. */
export function kindOf(words: Words, { counts, kind, languages }: PassageView): string {
  if (!counts) return words.say("kind.fragment");
  if (kind === "translated" && languages) {
    const [into, from] = [`translated_into.${languages[0]}`, `translated_from.${languages[1]}`];
    if (words.has(into) && words.has(from)) {
      const between = { from: words.say(from), into: words.say(into) };
      return words.say("kind.translated_between", between);
    }
  }
  return words.say(`kind.${kind}`);
}

/** What of passages of a kind does not count, where not every wording does; else nothing. */
export function uncountedPart(words: Words, kind: Kind, count: readonly Wording[]): string {
  const isWhole = count.includes(WORDING_OF[kind]);
  if (kind !== "edited" || isWhole === count.includes("word_for_word")) {
    return isWhole ? "" : words.say("wording.not_counted");
  }
  return words.say(isWhole ? "wording.only_changed" : "wording.only_unchanged");
}

/** The similar text by its wording, and what of it does not count; nothing where there is none. */
export function wordingShares(
  words: Words,
  shares: SharesView,
  wordings: WordingsView,
  count: readonly Wording[],
  isBrief = false, // those alone that there are
): string[] {
  if (!WORDINGS.some((each) => wordings[each])) return [];
  const figures = wordingTenths(shares, wordings, count);
  return WORDINGS.filter((each) => !isBrief || wordings[each]).map((each) => {
    const share = `${words.say(`wording.${each}`)} ${words.percent(figures[each])}`;
    return count.includes(each) ? share : `${share} (${words.say("wording.not_counted")})`;
  });
}
