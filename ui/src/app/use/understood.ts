// What the server says outside of reports, understood; the twin of src/likewise/report/said.py. The
// English texts of two groups of words are the patterns: `said` of the readers of files, `refused`
// of what the server refuses.

import en from "@report/catalogue/en.json";

import type { Said, Told } from "../../report/view";
import refused from "../words/refused/en.json";

const NUMBERS = new Set(["n", "all", "most", "share", "width", "height", "used"]);
const ENCODINGS = new Set(["encoding", "other", "wrong"]);
// What stands here may be a sentence or a word of the readers itself.
const TOLD = new Set(["which", "why", "error", "way", "kind", "wanted"]);

interface Pattern {
  key: string;
  literal: string; // the longest of its words, looked for first: that is quick
  telling: number;
  fits: RegExp;
}

let known: Pattern[] | null = null;

/** A sentence of a reader by its key and values; null where nobody knows it. */
export function understood(sentence: string): Said | null {
  const whole = one(sentence);
  if (whole) return whole;
  for (const { index } of sentence.matchAll(/(?<=\.) (?=[A-Z\d])/g)) {
    const [first, rest] = [one(sentence.slice(0, index)), understood(sentence.slice(index + 1))];
    if (first && rest) return { ...first, then: rest };
  }
  return null;
}

/** The same where a name may stand before the sentence: `essay.pdf: the file is empty`. */
export function understoodAbout(sentence: string): {
  about: string;
  rest: string;
  said: Said | null;
} {
  const whole = understood(sentence);
  if (whole) return { about: "", rest: sentence, said: whole };
  for (const { index } of sentence.matchAll(/: /g)) {
    const rest = sentence.slice(index + 2);
    const said = understood(rest);
    if (said) return { about: sentence.slice(0, index), rest, said };
  }
  return { about: "", rest: sentence, said: null };
}

function one(sentence: string): Said | null {
  for (const { key, literal, fits } of (known ??= patterns())) {
    const found = sentence.includes(literal) ? fits.exec(sentence) : null;
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, text]) => [
      name,
      told(name, text),
    ]);
    return { key, values: Object.fromEntries(values) as Record<string, Told>, then: null };
  }
  return null;
}

/** What stands in a place: a number, pages, words of the readers, or a name as it is. */
function told(name: string, text: string): Told {
  if (NUMBERS.has(name)) return Number(text.replaceAll(",", ""));
  if (name === "list")
    return (text.includes("more") ? one(text) : null) ?? text.replaceAll("-", "–");
  if (name === "parts") return text.split(", ").map((part) => one(part) ?? part);
  return (TOLD.has(name) ? understood(text) : null) ?? text;
}

/** The most telling first: a sentence with few places fits better than one with many. */
function patterns(): Pattern[] {
  const texts = Object.entries({ ...en, ...refused }).filter(([key]) =>
    /^(said|refused)\./.test(key),
  );
  return texts
    .flatMap(([key, message]) =>
      [...new Set(typeof message === "string" ? [message] : Object.values(message))].map((text) =>
        pattern(key, text),
      ),
    )
    .sort((a, b) => b.telling - a.telling);
}

function pattern(key: string, text: string): Pattern {
  const parts = text.split(/\{(\w+)\}/);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const expression = parts.map((part, i) =>
    i % 2 ? `(?<${part}>${whatFits(part, key)})` : escaped(part),
  );
  return {
    key,
    literal: literals.reduce((a, b) => (b.length > a.length ? b : a)),
    telling: literals.join("").length,
    fits: new RegExp(`^(?:${expression.join("")})$`, "s"),
  };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function whatFits(place: string, key: string): string {
  if (NUMBERS.has(place)) return "\\d[\\d,]*";
  if (ENCODINGS.has(place)) return "[^\\s;]+";
  if (place === "list")
    return key === "said.and_more" ? "\\d[\\d, -]*" : "\\d[\\d, -]*(?: and \\d[\\d,]* more)?";
  return ".+?";
}
