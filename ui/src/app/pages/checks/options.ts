// What a check is asked for, as the form holds it and as the server takes it.

import { reactive } from "vue";

import { WORDINGS } from "../../../report/kinds";
import type { Wording } from "../../../report/view";
import type { NamedFile } from "../../parts/file_drop";

export const LEVELS = [90, 95, 99] as const; // those that the paper has z-values for
export type Level = (typeof LEVELS)[number];

export interface Options {
  language: string;
  type: string;
  organisation: string;
  yearFrom: string;
  yearTo: string;
  tag: string;
  collections: string[] | null; // all, where none are chosen
  notMine: boolean;
  notBy: string;
  minWords: string;
  minShare: string; // in percent
  level: Level; // of the interval of the measures, in percent
  count: Wording[]; // what counts as similar
  byMeaning: boolean; // look for passages by what they mean too
  quotations: boolean;
  bibliography: boolean;
  contents: boolean;
  titlePage: boolean;
  common: boolean;
  listings: boolean;
  templates: File[]; // with the assignment's own text
  templateText: string; // the same, pasted
  keep: boolean;
  collection: string;
}

export function newOptions(): Options {
  return reactive({
    language: "",
    type: "",
    organisation: "",
    yearFrom: "",
    yearTo: "",
    tag: "",
    collections: null,
    notMine: false,
    notBy: "",
    minWords: "",
    minShare: "",
    level: 99,
    count: [...WORDINGS],
    byMeaning: true,
    quotations: true,
    bibliography: true,
    contents: true,
    titlePage: true,
    common: true,
    listings: true,
    templates: [],
    templateText: "",
    keep: false,
    collection: "library",
  });
}

/**
 * The files with the assignment's own text, each under a name that no document has: by their names
 * the server tells which are which.
 */
export function templateFiles(
  { templates, templateText }: Options,
  documents: readonly NamedFile[],
  pastedName: string,
): NamedFile[] {
  const pasted = templateText.trim() ? [new File([templateText], `${pastedName}.txt`)] : [];
  const used = new Set(documents.map(({ name }) => name));
  return [...templates, ...pasted].map((file) => {
    let name = file.name;
    for (let n = 2; used.has(name); n++) name = `${pastedName} ${n}, ${file.name}`;
    used.add(name);
    return { file, name };
  });
}

/** The same as the server takes it; what is not filled in is not said. */
export function requestOf(options: Options): Record<string, unknown> {
  const number = (text: string) =>
    /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : undefined;
  const share = number(options.minShare);
  return {
    filters: {
      language: options.language || undefined,
      type: options.type || undefined,
      organisation: options.organisation || undefined,
      year_from: number(options.yearFrom),
      year_to: number(options.yearTo),
      tag: options.tag || undefined,
    },
    collections: options.collections ?? undefined,
    not_mine: options.notMine,
    not_by: options.notBy.trim() || undefined,
    options: {
      min_words: number(options.minWords),
      min_share: share === undefined ? undefined : share / 100,
      level: options.level,
      count: options.count,
      by_meaning: options.byMeaning,
      exclusions: {
        quotations: options.quotations,
        bibliography: options.bibliography,
        contents: options.contents,
        title_page: options.titlePage,
        common: options.common,
        listings: options.listings,
      },
    },
    keep: options.keep,
    collection: options.keep ? options.collection : undefined,
  };
}
