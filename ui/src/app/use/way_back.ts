// Where somebody wanted to go before something else had to be done.

import type { LocationQuery } from "vue-router";

/** The page that was asked for; only a place of ours, as a link must not lead elsewhere. */
export function wayBack({ to }: LocationQuery): string {
  return typeof to === "string" && /^\/(?![/\\])/.test(to) ? to : "/";
}
