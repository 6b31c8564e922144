// Work that goes on in the server, watched until it ends.

import { ask, request, Problem } from "./client";
import type { JobShape } from "./shapes";

export type Job = JobShape;

const AGAIN_MS = 1_000;

/** Tells of a job whenever it changes, over lost connections, until it has ended. */
export async function watchJob(
  id: string,
  tell: (job: Job) => void,
  signal?: AbortSignal,
): Promise<Job> {
  for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, 15_000)) {
    try {
      for await (const job of events(id, signal)) {
        wait = AGAIN_MS;
        tell(job);
        if (hasEnded(job)) return job;
      }
    } catch (error) {
      const isLost = error instanceof Problem && (error.status === 0 || error.status >= 500);
      if (!isLost && !(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    signal?.throwIfAborted();
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
  try {
    for (;;) {
      const { done, value } = await reader.read();
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
    void reader.cancel().catch(() => undefined);
  }
}
