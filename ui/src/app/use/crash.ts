// What nobody foresaw: the page says so, instead of being empty.

import { shallowRef } from "vue";

import { Problem } from "../api/client";

export interface Crash {
  problem: Problem | null; // what the server refused, if that was it
  isOutdated: boolean; // a part of the page could not be fetched
}

export const crash = shallowRef<Crash | null>(null);

const LOST_PARTS = /dynamically imported module|module script|preload CSS/i;
// Vue tells where it was thrown, in a built page by a number: in what somebody did, or in a watcher.
const BESIDE_THE_PAGE = /event handler|watcher|#runtime-[2-6]$/;

/** Whether the page still stands after an error there; what was typed on it must not be lost. */
export const pageSurvives = (where: string) => BESIDE_THE_PAGE.test(where);

/** Nothing of the page can be shown; the console tells the rest to whoever mends it. */
export function reportCrash(error: unknown): void {
  if (isAborted(error)) return;
  console.error(error);
  const isOutdated = error instanceof Error && LOST_PARTS.test(error.message);
  crash.value = { problem: error instanceof Problem ? error : null, isOutdated };
}

/** Somebody gave it up, or left: nothing went wrong. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
