// What is sure to be asked is asked at once, while the scripts that need the answer are on their way.
// Imports nothing, so that the first script can have it.

const OPEN_PAGES = /^\/(login(\/.*)?|forgotten|new-password|shared|certificates(\/.*)?)$/;
export const REFRESH = {
  path: "/api/v1/token/refresh",
  call: {
    method: "POST",
    headers: { "X-Likewise": "page", "Content-Type": "application/json" },
    body: "{}",
    credentials: "same-origin",
  },
} as const;

const CHECK = /^\/checks\/(?!new\/?$)([^/]+)\/?$/;
const ANSWERED_MS = 10_000; // afterwards it is asked anew

/** What the page at an address asks the server first. */
export function firstQuestions(page: string): string[] {
  const check = CHECK.exec(page)?.[1];
  return check ? [`/checks/${check}`, `/checks/${check}/view`] : [];
}

/** Whether a page does with the words of the frame and of a report: the others come behind it. */
export function needsFewWords(page: string): boolean {
  return page === "/login" || firstQuestions(page).length > 0;
}

let refreshed: Promise<Response> | null = null;
const answers = new Map<string, Promise<Response>>();

/**
 * Asks for a token for the page that is opened, unless it is one for those who have none; as soon
 * as there is one, who holds it and what the page asks first.
 */
export function refreshEarly(): void {
  if (OPEN_PAGES.test(location.pathname)) return;
  refreshed = oneTabAtATime(() => fetch(REFRESH.path, REFRESH.call));
  refreshed.catch(() => undefined); // whoever takes it tells
  const token = refreshed.then((answer) => answer.clone().json() as Promise<{ access_token?: string }>);
  for (const path of ["/me", ...firstQuestions(location.pathname)]) {
    const answer = token.then(async ({ access_token: token }) => {
      if (!token) throw new Error("nobody is logged in");
      const given = await fetch(`/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
      if (given.ok) return given;
      throw letGo(given);
    });
    answer.catch(() => undefined); // asked anew
    answers.set(path, answer);
  }
  setTimeout(() => {
    for (const answer of answers.values()) answer.then(letGo, () => undefined);
    answers.clear();
  }, ANSWERED_MS);
}

/** An answer that nobody reads: until it is let go, its connection is kept. */
function letGo(answer: Response): Error {
  answer.body?.cancel().catch(() => undefined);
  return new Error(`status ${answer.status}`);
}

/** The answer to a question of these, once. */
export function takeAnswer(path: string): Promise<Response> | null {
  const taken = answers.get(path) ?? null;
  answers.delete(path);
  return taken;
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
