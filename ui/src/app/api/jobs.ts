// Work that goes on in the server, watched until it ends.

import { ask, request, Problem } from "./client";
import { AGAIN_MS, LONGEST_MS, lostJobs, pause } from "./connection";
import type { JobShape } from "./shapes";

export type Job = JobShape;

const SILENT_MS = 20_000; // the server tells of a job every five seconds

/** Tells of a job whenever it changes, over lost connections, until it has ended. */
export async function watchJob(
  id: string,
  tell: (job: Job) => void,
  signal?: AbortSignal,
): Promise<Job> {
  try {
    for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, LONGEST_MS)) {
      try {
        for await (const job of events(id, signal)) {
          wait = AGAIN_MS;
          lostJobs.delete(id);
          tell(job);
          if (hasEnded(job)) return job;
        }
      } catch (error) {
        const isLost = error instanceof Problem && (error.status === 0 || error.status >= 500);
        if (!isLost && !(error instanceof TypeError)) throw error;
        lostJobs.add(id);
      }
      await pause(wait, signal);
      signal?.throwIfAborted();
    }
  } finally {
    lostJobs.delete(id);
  }
}

export const hasEnded = (job: Job) => ["done", "failed", "cancelled"].includes(job.state);
export const cancelJob = (id: string) => ask<Job>(`/jobs/${id}/cancel`, { method: "POST" });
export const dismissJob = (id: string) => ask<Job>(`/jobs/${id}/dismiss`, { method: "POST" });
export const retryJob = (id: string) => ask<Job>(`/jobs/${id}/retry`, { method: "POST" });

async function* events(id: string, signal?: AbortSignal): AsyncGenerator<Job> {
  const answer = await request(`/jobs/${id}/events`, signal ? { signal } : {});
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  let silence: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      isSilent = true;
      void reader.cancel().catch(() => undefined);
    }, SILENT_MS);
  };
  try {
    for (;;) {
      listen();
      const { done, value } = await reader.read();
      if (isSilent) throw new TypeError("nothing was heard of the job");
      if (done) return;
      pending += value;
      const parts = pending.split("\n\n");
      pending = parts.pop()!;
      for (const part of parts) {
        const data = part.split("\n").filter((line) => line.startsWith("data:"));
        if (data.length) yield JSON.parse(data.map((line) => line.slice(5)).join("\n")) as Job;
      }
    }
  } finally {
    clearTimeout(silence);
    void reader.cancel().catch(() => undefined);
  }
}
