// How long there is until a moment, as people say it: "in 2 days".

import { onScopeDispose, ref, type Ref } from "vue";

import type { Words } from "../../words";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TICK_MS = 20_000;

/** The present time, as long as the page is open. */
export function useNow(): Ref<number> {
  const now = ref(Date.now());
  const timer = setInterval(() => (now.value = Date.now()), TICK_MS);
  onScopeDispose(() => clearInterval(timer));
  return now;
}

/** "in 2 days", of the last two days "in 30 hours", of the last hour in minutes; empty once it is over. */
export function untilText(words: Words, iso: string, now: number): string {
  const left = new Date(iso).getTime() - now;
  if (left <= 0) return "";
  if (left < HOUR) return words.say("until.minutes", { n: Math.ceil(left / MINUTE) });
  if (left < 2 * DAY) return words.say("until.hours", { n: Math.floor(left / HOUR) });
  return words.say("until.days", { n: Math.floor(left / DAY) });
}
