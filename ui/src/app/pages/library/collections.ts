// The collections that one may read or add to, and what they are called.

import { computed, type ComputedRef } from "vue";

import { useWords } from "../../../words";
import { ask } from "../../api/client";
import type { CollectionShape, PageCollectionShape } from "../../api/shapes";
import { useResource, type Resource } from "../../use/resource";

export const OF_ALL = "library";

interface Collections {
  loading: Resource<PageCollectionShape>;
  readable: ComputedRef<CollectionShape[]>;
  addable: ComputedRef<CollectionShape[]>;
  nameOf: (one: { id: string; name: string | null }) => string;
}

export function useCollections(): Collections {
  const words = useWords();
  const loading = useResource((signal) =>
    ask<PageCollectionShape>("/collections", { query: { limit: 500 }, signal }),
  );
  const all = computed(() => loading.data.value?.items ?? []);
  return {
    loading,
    readable: computed(() => all.value.filter((one) => one.may_read)),
    addable: computed(() => all.value.filter((one) => one.may_add)),
    nameOf: ({ id, name }) => {
      if (id === OF_ALL) return words.value.say("collection.library");
      return (
        name ??
        all.value.find((one) => one.id === id)?.name ??
        words.value.say("collection.unnamed")
      );
    },
  };
}
