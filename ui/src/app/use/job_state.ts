// A job watched for as long as a page is about something unfinished.

import { computed, shallowRef, watch, type ShallowRef, type WatchSource } from "vue";
import { useRoute } from "vue-router";

import { ask, Problem } from "../api/client";
import { hasEnded, watchJob, type Job } from "../api/jobs";
import { useResource } from "./resource";

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
        // It may be gone by now: what it was about tells.
        if (!(error instanceof Problem)) throw error;
      }
      if (!own.signal.aborted) await ended();
    },
    { immediate: true },
  );
  return job;
}

interface WithJob {
  state: string | null; // of an assignment to which nothing was handed in
  job: string | null;
}

/** A check or a class by its id in the page's address: loaded, and again once its job has ended. */
export function useJobResource<T extends WithJob>(path: string) {
  const route = useRoute();
  const id = computed(() => String(route.params.id));
  const resource = useResource((signal) => ask<T>(`${path}/${id.value}`, { signal }), id);
  const runningJob = computed(() => {
    const { state, job } = resource.data.value ?? {};
    return state === "queued" || state === "running" ? (job ?? null) : null;
  });
  const job = useJobState(runningJob, resource.reload);
  const progress = computed(() => (job.value && !hasEnded(job.value) ? job.value : null));
  return { ...resource, id, runningJob, job, progress };
}
