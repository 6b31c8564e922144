// What a page shows comes from the server: asked for again when the question changes.

import {
  onScopeDispose,
  ref,
  shallowRef,
  watch,
  type Ref,
  type ShallowRef,
  type WatchSource,
} from "vue";

import { Problem } from "../api/client";

export interface Resource<T> {
  data: ShallowRef<T | null>;
  problem: Ref<Problem | null>;
  isLoading: Ref<boolean>;
  reload: () => Promise<void>;
}

/** Loads at once and whenever `source` changes; an answer to an old question is dropped. */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  source?: WatchSource | WatchSource[],
): Resource<T> {
  const data = shallowRef<T | null>(null);
  const problem = ref<Problem | null>(null);
  const isLoading = ref(false);
  let last: AbortController | null = null;

  async function reload(): Promise<void> {
    last?.abort();
    const own = (last = new AbortController());
    isLoading.value = true;
    try {
      const reply = await load(own.signal);
      if (own.signal.aborted) return;
      data.value = reply;
      problem.value = null;
    } catch (error) {
      if (own.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
    } finally {
      if (last === own) isLoading.value = false;
    }
  }

  if (source) watch(source, () => void reload());
  void reload();
  onScopeDispose(() => last?.abort());
  return { data, problem, isLoading, reload };
}
