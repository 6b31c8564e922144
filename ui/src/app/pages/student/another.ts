// Works of others have one name for students: the data tells it in English, the page in its language.

import type { CheckView, TextView } from "../../../report/view";
import type { Words } from "../../../words";

const ANOTHER = /^another submission(?: \((\d+)\))?$/;

function named(text: TextView, words: Words): TextView {
  const found = text.stretches.length ? null : ANOTHER.exec(text.name);
  if (!found) return text;
  const label = found[1]
    ? words.say("ownreport.another_n", { n: Number(found[1]) })
    : words.say("ownreport.another");
  return { ...text, label };
}

/** The view with others' works called as the page says it. */
export function withNames(view: CheckView, words: Words): CheckView {
  const sources = view.sources.map((source) => ({ ...source, text: named(source.text, words) }));
  return { ...view, sources };
}
