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
import { AGAIN_MS, isConnectionLost, LONGEST_MS, outdated, pause } from "../api/connection";

export interface Resource<T> {
  data: ShallowRef<T | null>;
  problem: Ref<Problem | null>;
  isLoading: Ref<boolean>;
  reload: () => Promise<void>;
}

/**
 * Loads at once and whenever `source` changes; an answer to an old question is dropped. Where the
 * connection is lost it is tried again until it is back, and what was shown stays.
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  source?: WatchSource | WatchSource[],
): Resource<T> {
  const data = shallowRef<T | null>(null);
  const problem = ref<Problem | null>(null);
  const isLoading = ref(false);
  const mark = {}; // of this resource among those that are outdated
  let isAnswered = false; // the question as it is now
  let last: AbortController | null = null;

  /** Whether there is an answer, be it a refusal. */
  async function isLoaded(own: AbortController): Promise<boolean> {
    isLoading.value = true;
    try {
      const reply = await load(own.signal);
      if (own.signal.aborted) return true;
      data.value = reply;
      problem.value = null;
      isAnswered = true;
    } catch (error) {
      if (own.signal.aborted) return true;
      if (!(error instanceof Problem)) throw error;
      if (isConnectionLost(error) && isAnswered) outdated.add(mark);
      else problem.value = error;
      if (isConnectionLost(error)) return false;
    } finally {
      if (last === own) isLoading.value = false;
    }
    outdated.delete(mark);
    return true;
  }

  async function loadAgain(own: AbortController): Promise<void> {
    for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, LONGEST_MS)) {
      await pause(wait, own.signal);
      if (own.signal.aborted || (await isLoaded(own))) return;
    }
  }

  async function reload(): Promise<void> {
    last?.abort();
    const own = (last = new AbortController());
    if (!(await isLoaded(own))) void loadAgain(own);
  }

  if (source)
    watch(source, () => {
      isAnswered = false;
      outdated.delete(mark);
      void reload();
    });
  void reload();
  onScopeDispose(() => {
    last?.abort();
    outdated.delete(mark);
  });
  return { data, problem, isLoading, reload };
}
