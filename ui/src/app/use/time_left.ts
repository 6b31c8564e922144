// How long a step of a job may still take, judged by how fast it has gone since this page looks on.

import { computed, shallowRef, watch, type ComputedRef } from "vue";

import type { Job } from "../api/jobs";

const KNOWN_AFTER_MS = 5_000;

interface Step {
  stage: string | null;
  done: number;
  at: number; // when it was first seen
}

/** Seconds until the present step of a job is done; null while nobody can tell. */
export function useTimeLeft(job: () => Job | null): ComputedRef<number | null> {
  const first = shallowRef<Step | null>(null);
  const now = shallowRef(0);
  watch(
    job,
    (job) => {
      now.value = performance.now();
      const before = first.value;
      const isSame = job && before && before.stage === job.stage && before.done <= job.done;
      if (!isSame) first.value = job && { stage: job.stage, done: job.done, at: now.value };
    },
    { immediate: true },
  );
  return computed(() => {
    const running = job();
    const step = first.value;
    if (!running || !step || running.state !== "running" || running.done <= step.done) return null;
    const taken = now.value - step.at;
    if (taken < KNOWN_AFTER_MS) return null;
    return ((running.total - running.done) * taken) / (running.done - step.done) / 1000;
  });
}
