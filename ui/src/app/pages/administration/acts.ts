// What the log tells of an act, in words: the server notes short English names.

import type { Words } from "../../../words";
import type { Act } from "../../api/shapes";
import { formatSize } from "../../use/sizes";

const A_NUMBER = /^[0-9a-f]{24}$/; // of a row that no person knows by it
const PLACES: readonly [RegExp, (target: string) => string][] = [
  [/^(check|certificate) (?!deleted)/, (id) => `/checks/${id}`],
  [/^batch (?!deleted)/, (id) => `/classes/${id}`],
  [/^course (?!deleted)/, (id) => `/courses/${id}`],
  [/^(assignment|submissions?) (?!deleted)/, (id) => `/assignments/${id}`],
  [/^collection (?!removed)/, (id) => `/library?collection=${id}`],
];

export function describeAct(words: Words, name: string): string {
  return catalogueText(words, "act", name) ?? name;
}

/** Where what was done something to can be seen. */
export function placeOf({ act, target }: Act): string | null {
  if (!target) return null;
  return PLACES.find(([acts]) => acts.test(act))?.[1](target) ?? null;
}

/** What it was done to, unless only the server knows it by that name. */
export function describeTarget(words: Words, { target }: Act): string {
  if (!target || A_NUMBER.test(target)) return "";
  return words.has(`language.of.${target}`) ? words.say(`language.of.${target}`) : target;
}

export function describeDetail(words: Words, detail: Act["detail"]): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && !(typeof value === "string" && A_NUMBER.test(value)))
    .map(([name, value]) => `${describeName(words, name)}: ${describeValue(words, name, value)}`)
    .join("; ");
}

function describeName(words: Words, name: string): string {
  const own = catalogueText(words, "detail", name);
  if (own) return own;
  for (const key of [`settings.${name}`, `library.${name}`, `recipe.${name}`])
    if (words.has(key)) return words.say(key);
  return name;
}

function describeValue(words: Words, name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const parts = value.map((each) => describeValue(words, name === "fields" ? "" : name, each));
    if (name === "fields") return value.map((each) => describeName(words, String(each))).join(", ");
    return parts.join(name === "scopes" ? ", " : " → "); // before and after
  }
  if (typeof value === "boolean") return words.say(value ? "audit.yes" : "audit.no");
  if (typeof value === "number") {
    if (name.endsWith("bytes")) return formatSize(words, value);
    return name.endsWith("share") ? words.share(value) : words.number(value);
  }
  if (value === null) return "–";
  if (name === "unit" && words.has(`recipe.unit.${String(value)}`))
    return words.say(`recipe.unit.${String(value)}`);
  if (name === "kind" && words.has(`erasures.kind.${String(value)}`))
    return words.say(`erasures.kind.${String(value)}`);
  if (name === "kind" && words.has(`retention.kind.${String(value)}`))
    return words.say(`retention.kind.${String(value)}`);
  if (name === "scopes" && words.has(`keys.scope.${String(value)}`))
    return words.say(`keys.scope.${String(value)}`);
  if (name === "decision" && words.has(`commission.${String(value)}`))
    return words.say(`commission.${String(value)}`);
  if (name === "role") return words.say(`role.${String(value)}`);
  if (name === "language" && words.has(`language.of.${String(value)}`))
    return words.say(`language.of.${String(value)}`);
  if (name === "collection" && value === "library") return words.say("collection.library");
  const text = String(value);
  return catalogueText(words, "why", text) ?? (words.has(text) ? words.say(text) : text);
}

function catalogueText(words: Words, group: string, name: string): string | null {
  const key = `audit.${group}.${name}`;
  return words.has(key) ? words.say(key) : null;
}
