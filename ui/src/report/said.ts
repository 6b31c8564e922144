// What the readers of files said, in the words of the page; the twin of src/likewise/report/said.py.

import type { Words } from "../words";
import type { Said, Told } from "./view";

/** A sentence that is known, with everything that stands in its places. */
export function spoken(said: Said, words: Words): string {
  const values = Object.entries(said.values).map(([name, told]) => [name, inWords(told, words)]);
  const text = words.say(said.key, Object.fromEntries(values) as Record<string, string | number>);
  return said.then ? `${text} ${spoken(said.then, words)}` : text;
}

function inWords(told: Told, words: Words): string | number {
  if (typeof told === "string" || typeof told === "number") return told;
  if (Array.isArray(told)) return told.map((each) => inWords(each, words)).join(", ");
  return spoken(told as Said, words);
}
