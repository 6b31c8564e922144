// A job watched for as long as a page is about something unfinished.

import { shallowRef, watch, type ShallowRef, type WatchSource } from "vue";

import { watchJob, type Job } from "../api/jobs";

/** The job as it goes on; `ended` is called once it has ended. */
export function useJobState(
  id: WatchSource<string | null>,
  ended: () => unknown,
): ShallowRef<Job | null> {
  const job = shallowRef<Job | null>(null);
  watch(
    id,
    async (going, _before, onCleanup) => {
      if (!going) return;
      const own = new AbortController();
      onCleanup(() => own.abort());
      try {
        await watchJob(going, (now) => (job.value = now), own.signal);
      } catch (error) {
        if (own.signal.aborted) return;
        throw error;
      }
      if (!own.signal.aborted) await ended();
    },
    { immediate: true },
  );
  return job;
}
