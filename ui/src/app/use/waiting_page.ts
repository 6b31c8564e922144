// A page whose scripts could not be fetched since nobody answers: opened once somebody does.

import type { RouteLocationNormalized, Router } from "vue-router";

import { ask } from "../api/client";
import { AGAIN_MS, isConnectionLost, LONGEST_MS, outdated, pause } from "../api/connection";

let last: RouteLocationNormalized | null = null; // who asks for another page wants that one

/**
 * Whether the connection is what kept the page away. It then comes by itself, unless somebody has
 * gone elsewhere meanwhile.
 */
export async function opensLater(router: Router, page: RouteLocationNormalized): Promise<boolean> {
  const from = router.currentRoute.value.path;
  last = page;
  if (await isReachable()) return false;
  outdated.add(page);
  void (async () => {
    for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, LONGEST_MS)) {
      await pause(wait);
      if (last !== page || router.currentRoute.value.path !== from) break;
      if (!(await isReachable())) continue;
      router.push(page).catch(() => undefined); // told by the router
      break;
    }
    outdated.delete(page);
  })();
  return true;
}

async function isReachable(): Promise<boolean> {
  try {
    await ask("/health/live");
    return true;
  } catch (error) {
    return !isConnectionLost(error);
  }
}
