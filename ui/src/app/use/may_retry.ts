// Whether a job that came to nothing can be tried again: what was cancelled has lost its files.

import { computed, type ComputedRef } from "vue";

import { ask } from "../api/client";
import type { JobShape } from "../api/shapes";
import { useResource } from "./resource";

const STOPPED = ["failed", "cancelled"];

interface Stopped {
  state: string;
  job: string | null;
  is_mine: boolean;
}

/** Null until it is known, and of what has not come to nothing. */
export function useMayRetry(report: () => Stopped | null): ComputedRef<boolean | null> {
  const stopped = computed(() => {
    const one = report();
    return one?.is_mine && STOPPED.includes(one.state) ? one.job : null;
  });
  const job = useResource(
    async (signal) =>
      stopped.value ? ask<JobShape>(`/jobs/${stopped.value}`, { signal }) : null,
    stopped,
  );
  return computed(() => job.data.value?.may_retry ?? null);
}
