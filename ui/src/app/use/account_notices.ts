// What somebody else did with my account or texts, in words.

import type { Words } from "../../words";
import type { NoticeShape } from "../api/shapes";

export function describeNotice(words: Words, { act, by, target, changed }: NoticeShape): string {
  const who =
    by ?? words.say(act === "report link opened" ? "notices.somebody" : "notices.operator");
  const key = `notices.act.${act}`;
  if (!words.has(key)) return `${who}: ${act}`;
  const what = changed.map((name) =>
    words.has(`notices.field.${name}`) ? words.say(`notices.field.${name}`) : name,
  );
  return words.say(key, { who, what: what.join(", "), target: target ?? "" });
}

/** Where what was read can be seen. */
export function noticePath({ act, target }: NoticeShape): string | null {
  if (!target) return null;
  if (/^(document|original) /.test(act)) return `/documents/${target}`;
  if (act.startsWith("check ")) return `/checks/${target}`;
  return act.startsWith("batch ") ? `/classes/${target}` : null;
}
