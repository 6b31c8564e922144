// The way to the server can be lost for a while: what waits for it is tried again, and says so.

import { shallowReactive } from "vue";

import { Problem } from "./client";

export const AGAIN_MS = 1_000;
export const LONGEST_MS = 5_000;

/** Jobs whose progress nobody hears of now. */
export const lostJobs = shallowReactive(new Set<string>());
/** What is shown as it was, while it is asked for again. */
export const outdated = shallowReactive(new Set<object>());

/** Nobody answers, or a proxy answers for a server that is not there: it passes by itself. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Problem && [0, 502, 503, 504].includes(error.status);
}

/** Until it is time to try again; at once when the browser is back in its network. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
    signal?.addEventListener("abort", end);
  });
}
