// Which documents are asked for: it stands in the address, so that a link shows the same list.

import { computed, reactive, type ComputedRef } from "vue";

import type { DocumentFilters } from "../../api/shapes";
import { useQueryParameter } from "../../use/query_parameter";

export interface Filters {
  search: string;
  collection: string;
  language: string;
  type: string;
  organisation: string;
  tag: string;
  yearFrom: string;
  yearTo: string;
}

interface Filtering {
  filters: Filters;
  apiQuery: ComputedRef<Record<string, string | undefined>>; // as the server takes it
  isFiltered: ComputedRef<boolean>;
  clear: () => void;
}

export function useFilters(): Filtering {
  const filters: Filters = reactive({
    search: useQueryParameter("q"),
    collection: useQueryParameter("collection"),
    language: useQueryParameter("language"),
    type: useQueryParameter("type"),
    organisation: useQueryParameter("organisation"),
    tag: useQueryParameter("tag"),
    yearFrom: useQueryParameter("from"),
    yearTo: useQueryParameter("to"),
  });
  const year = (text: string) => (/^\d{4}$/.test(text) ? text : undefined);
  const apiQuery = computed(() => {
    const { yearFrom, yearTo, ...others } = filters;
    return { ...others, year_from: year(yearFrom), year_to: year(yearTo) };
  });
  return {
    filters,
    apiQuery,
    isFiltered: computed(() => Object.values(apiQuery.value).some(Boolean)),
    clear: () => {
      for (const name of Object.keys(filters) as (keyof Filters)[]) filters[name] = "";
    },
  };
}

/** The same in the body of a request; the words that are searched for stand beside it. */
export function selectedFilters(query: Readonly<Record<string, string | undefined>>): DocumentFilters {
  const pairs = Object.entries(query).filter(([name, value]) => value && name !== "search");
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, name.startsWith("year_") ? Number(value) : [value]]),
  );
}
