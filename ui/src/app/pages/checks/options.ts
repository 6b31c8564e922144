// What a check is asked for, as the form holds it and as the server takes it.

import { reactive } from "vue";

import { WORDINGS } from "../../../report/kinds";
import type { Wording } from "../../../report/view";
import type { NamedFile } from "../../parts/file_drop";
import { OF_ALL } from "../library/collections";

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
    collection: OF_ALL,
  });
}

/** What was asked for, as the form holds it: the way back from `requestOf`. */
export function optionsOf(request: Record<string, unknown>): Options {
  const { filters, options, collections, not_mine, not_by, keep, collection } =
    request as unknown as StoredRequest;
  const first = (value: OneOrMore) => (Array.isArray(value) ? (value[0] ?? "") : (value ?? ""));
  const text = (value: number | null) => (value === null ? "" : String(value));
  const share = options.min_share;
  return Object.assign(newOptions(), {
    language: first(filters.language),
    type: first(filters.type),
    organisation: first(filters.organisation),
    tag: first(filters.tag),
    yearFrom: text(filters.year_from),
    yearTo: text(filters.year_to),
    collections: collections?.map(publicName) ?? null,
    notMine: not_mine,
    notBy: first(not_by),
    minWords: text(options.min_words),
    minShare: share === null ? "" : text(Math.round(10_000 * share) / 100),
    level: options.level,
    count: options.count,
    byMeaning: options.by_meaning,
    quotations: options.exclusions.quotations,
    bibliography: options.exclusions.bibliography,
    contents: options.exclusions.contents,
    titlePage: options.exclusions.title_page,
    common: options.exclusions.common,
    listings: options.exclusions.listings,
    keep,
    collection: publicName(collection),
  } satisfies Partial<Options>);
}

type OneOrMore = string | string[] | null;

interface StoredRequest {
  filters: Record<"language" | "type" | "organisation" | "tag", OneOrMore> &
    Record<"year_from" | "year_to", number | null>;
  collections: string[] | null;
  not_mine: boolean;
  not_by: OneOrMore;
  options: {
    min_words: number | null;
    min_share: number | null;
    level: Level;
    count: Wording[];
    by_meaning: boolean;
    exclusions: Record<
      "quotations" | "bibliography" | "contents" | "title_page" | "common" | "listings",
      boolean
    >;
  };
  keep: boolean;
  collection: string;
}

/** The collection of all has no name in the library. */
const publicName = (collection: string) => collection || OF_ALL;

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
