// Rows that are ticked: some of them by their keys, or all that match but for some.

import { computed, ref, watch, type ComputedRef, type Ref, type WatchSource } from "vue";

export type Key = string | number;

export interface Selection<K extends Key> {
  count: ComputedRef<number>;
  state: ComputedRef<"none" | "some" | "all">;
  isAll: Ref<boolean>; // all that match, but for those in `keys`
  keys: Ref<ReadonlySet<K>>;
  has: (key: K) => boolean;
  toggle: (key: K) => void;
  chooseAll: () => void;
  clear: () => void;
}

/** Nothing is chosen any more once something else is asked for. */
export function useSelection<K extends Key>(
  total: Readonly<Ref<number | null>>,
  question: WatchSource | WatchSource[],
): Selection<K> {
  const isAll = ref(false);
  const keys = ref(new Set()) as Ref<ReadonlySet<K>>;
  const count = computed(() =>
    isAll.value ? Math.max(0, (total.value ?? 0) - keys.value.size) : keys.value.size,
  );
  const state = computed(() => {
    if (!count.value) return "none";
    return count.value === total.value ? "all" : "some";
  });

  function toggle(key: K): void {
    const now = new Set(keys.value);
    if (!now.delete(key)) now.add(key);
    keys.value = now;
  }

  function start(all: boolean): void {
    isAll.value = all;
    keys.value = new Set();
  }

  watch(question, () => start(false));
  return {
    count,
    state,
    isAll,
    keys,
    has: (key) => keys.value.has(key) !== isAll.value,
    toggle,
    chooseAll: () => start(true),
    clear: () => start(false),
  };
}
