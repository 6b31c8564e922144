// What people call documents: the student, where the path of a file tells who.

import { inject, provide, type InjectionKey } from "vue";

import { useWords, type Words } from "../words";
import type { TextView } from "./view";

const LABELS: InjectionKey<ReadonlyMap<string, string>> = Symbol("labels");

// What a student's report calls the works of others, which have no name there.
const ANOTHER = /^another submission(?: \((\d+)\))?$/;

export function calledOf({ name, label }: Pick<TextView, "name" | "label">, words?: Words): string {
  return label || (words ? inWords(name, words) : name);
}

function inWords(name: string, words: Words): string {
  const another = ANOTHER.exec(name);
  if (!another) return name;
  const [, n] = another;
  if (n === undefined) return words.say("sources.another");
  return words.say("sources.another_of_several", { n });
}

/** Below, whoever has a name knows what these documents are called. */
export function provideLabels(texts: Iterable<Pick<TextView, "name" | "label">>): void {
  const labels = new Map<string, string>();
  for (const { name, label } of texts) if (label) labels.set(name, label);
  provide(LABELS, labels);
}

/** What people call the document of a name. */
export function useLabels(): (name: string) => string {
  const labels = inject(LABELS, null);
  const words = useWords();
  return (name) => labels?.get(name) ?? inWords(name, words.value);
}
