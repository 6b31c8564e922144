// What is known about a document, as a form holds it.

import { reactive } from "vue";

export interface Metadata {
  name: string;
  author: string;
  advisor: string;
  organisation: string;
  type: string;
  language: string;
  year: string;
  month: string;
  tags: string; // with commas between them
}

export const TEXTS = ["author", "advisor", "organisation", "type", "language"] as const;

export function emptyMetadata(): Metadata {
  return reactive({
    name: "",
    author: "",
    advisor: "",
    organisation: "",
    type: "",
    language: "",
    year: "",
    month: "",
    tags: "",
  });
}

/** What is filled in; with `all`, what is not is to be forgotten. */
export function metadataInput(metadata: Metadata, all = false): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const put = (name: string, value: unknown, isEmpty: boolean) => {
    if (!isEmpty) input[name] = value;
    else if (all && name !== "name") input[name] = null;
  };
  for (const name of [...TEXTS, "name"] as const)
    put(name, metadata[name].trim(), !metadata[name].trim());
  for (const name of ["year", "month"] as const)
    put(name, Number(metadata[name]), !/^\d+$/.test(metadata[name].trim()));
  const tags = metadata.tags
    .split(/[,;]/)
    .map((tag) => tag.trim())
    .filter(Boolean);
  if (tags.length || all) input.tags = tags;
  return input;
}
