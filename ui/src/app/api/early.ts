// What is sure to be asked is asked at once, while the scripts that need the answer are on their way.
// Imports nothing, so that the first script can have it.

const OPEN_PAGES = /^\/(login|forgotten|new-password|certificates(\/.*)?)$/;
export const REFRESH = {
  path: "/api/v1/token/refresh",
  call: {
    method: "POST",
    headers: { "X-Likewise": "page", "Content-Type": "application/json" },
    body: "{}",
    credentials: "same-origin",
  },
} as const;

let refreshed: Promise<Response> | null = null;

/** Asks for a token for the page that is opened, unless it is one for those who have none. */
export function refreshEarly(): void {
  if (OPEN_PAGES.test(location.pathname)) return;
  refreshed = oneTabAtATime(() => fetch(REFRESH.path, REFRESH.call));
  refreshed.catch(() => undefined); // whoever takes it tells
}

/** The answer to that, once. */
export function takeRefreshed(): Promise<Response> | null {
  const taken = refreshed;
  refreshed = null;
  return taken;
}

/** A refresh token is good once: tabs take turns. */
export async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request("likewise.refresh", work);
}
