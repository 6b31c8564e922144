// The two thresholds of this server: asked for once somebody is logged in, and when they change.

import { ref, watch } from "vue";

import { DEFAULT_THRESHOLDS, type Thresholds } from "../../report/levels";
import type { Words } from "../../words";
import { ask } from "../api/client";
import { isStudent, me } from "../api/session";

export const thresholds = ref<Thresholds>(DEFAULT_THRESHOLDS);

async function loadThresholds(): Promise<void> {
  try {
    thresholds.value = await ask<Thresholds>("/thresholds");
  } catch {
    // colours then follow the usual ones
  }
}

/** Keeps them up to date for as long as the pages are open. */
export function followThresholds(): void {
  watch(
    () => (me.value && !me.value.must_change && !isStudent.value ? me.value.name : null),
    (name) => name && void loadThresholds(),
    { immediate: true },
  );
}

/** A threshold as people say it: "40%", "12.5%". */
export function thresholdText(words: Words, share: number): string {
  return words.wholePercent(Math.round(1000 * share) / 10);
}
