// What people call documents: the student, where the path of a file tells who.

import { inject, provide, type InjectionKey } from "vue";

import type { TextView } from "./view";

const LABELS: InjectionKey<ReadonlyMap<string, string>> = Symbol("labels");

export function calledOf({ name, label }: Pick<TextView, "name" | "label">): string {
  return label || name;
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
  return (name) => labels?.get(name) ?? name;
}
