// State in the address: a link shows the same view.

import { computed, type WritableComputedRef } from "vue";
import { useRoute, useRouter, type LocationQueryRaw } from "vue-router";

// Several values may change at once, as a filter and the page of its list: each step has them all.
let pendingQuery: LocationQueryRaw | null = null;

/** One value of the address's query; the fallback is not written there. */
export function useQueryParameter(name: string, fallback = ""): WritableComputedRef<string> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => {
      const value = route.query[name];
      return typeof value === "string" ? value : fallback;
    },
    set: (value) => {
      const query = { ...(pendingQuery ?? route.query) };
      if (value === fallback) delete query[name];
      else query[name] = value;
      pendingQuery = query;
      void router.replace({ query, hash: route.hash }).finally(() => {
        if (pendingQuery === query) pendingQuery = null;
      });
    },
  });
}

/** The same for whole numbers. */
export function useNumberParameter(name: string, fallback: number): WritableComputedRef<number> {
  const text = useQueryParameter(name, String(fallback));
  return computed({
    get: () => (/^\d+$/.test(text.value) ? Number(text.value) : fallback),
    set: (value) => (text.value = String(value)),
  });
}
