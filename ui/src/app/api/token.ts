// The access token lives in memory alone; the refresh token is a cookie that no script can read.
// Tabs take turns to refresh: each refresh token is good once.

import { ref, shallowRef } from "vue";

import { API, problemOf, callServer } from "./client";
import type { LoggedOut, LogInDone, LogInReturned } from "./shapes";
import { oneTabAtATime, REFRESH, takeRefreshed } from "./early";

interface Tokens {
  access_token: string;
  expires_in: number;
}

const LOGGED_IN = "likewise logged in"; // what windows tell each other
const EARLY_MS = 30_000; // before a token runs out it is renewed

let current: { token: string; until: number } | null = null;
let renewing: Promise<string> | null = null;

/** Whether somebody is logged in: not known yet, yes, no, or no longer. */
export const state = ref<"unknown" | "in" | "out" | "expired">("unknown");
const waiting = shallowRef<((token: string) => void)[]>([]);

/** A token that is good now; where the log in has ended, once somebody has logged in again. */
export function token(): Promise<string> {
  if (current && Date.now() < current.until) return Promise.resolve(current.token);
  renewing ??= renewed().finally(() => (renewing = null));
  return renewing;
}

/** This token was refused. */
export function sessionEnded(used: string): void {
  if (current?.token === used) current = null;
}

export async function logIn(name: string, password: string, code?: string): Promise<void> {
  const answer = await posted("/token", { name, password, code: code || null, cookie: true });
  if (!answer.ok) throw await problemOf(answer);
  took((await answer.json()) as Tokens);
}

/** What a provider has sent back to us, taken to the server: what came of it. */
export async function comeBack(provider: string, returned: LogInReturned): Promise<LogInDone> {
  const answer = await posted(`/login/${provider}/callback`, returned);
  if (!answer.ok) throw await problemOf(answer);
  const done = (await answer.json()) as LogInDone;
  if (done.tokens) {
    took(done.tokens);
    const windows = new BroadcastChannel(LOGGED_IN);
    windows.postMessage(null);
    windows.close();
  }
  return done;
}

/** Hears that somebody has logged in in another window, whose cookie is this one's too. */
export function listenForLogIn(heard: () => void): () => void {
  const windows = new BroadcastChannel(LOGGED_IN);
  windows.onmessage = () =>
    void oneTabAtATime(() => tokenOf(refresh)).then((token) => token && heard());
  return () => windows.close();
}

/** Ends the session; where to log out elsewhere too, if somebody else vouched for it. */
export async function logOut(): Promise<string | null> {
  const address = current ? await endByToken(current.token) : undefined;
  if (address === undefined) {
    const answer = await posted("/token/end", {});
    if (!answer.ok) throw await problemOf(answer);
  }
  current = null;
  state.value = "out";
  return address ?? null;
}

/** The same by the access token, which may be too old for it. */
async function endByToken(token: string): Promise<string | null | undefined> {
  const headers = { ...REFRESH.call.headers, Authorization: `Bearer ${token}` };
  const answer = await callServer(() =>
    fetch(`${API}/login/end`, { ...REFRESH.call, headers, body: null }),
  );
  return answer.ok ? ((await answer.json()) as LoggedOut).address : undefined;
}

async function renewed(): Promise<string> {
  const early = takeRefreshed();
  const found = early ? await tokenOf(() => early) : await oneTabAtATime(() => tokenOf(refresh));
  if (found) return found;
  state.value = state.value === "in" || state.value === "expired" ? "expired" : "out";
  // Whoever asked waits; nothing that was typed is lost.
  return new Promise((resolve) => waiting.value.push(resolve));
}

const refresh = () => fetch(REFRESH.path, REFRESH.call);

async function tokenOf(call: () => Promise<Response>): Promise<string | null> {
  const answer = await callServer(call);
  if (answer.ok) return took((await answer.json()) as Tokens);
  const problem = await problemOf(answer);
  if (problem.status === 401 || problem.status === 403 || problem.status === 422) return null;
  throw problem;
}

function posted(path: string, body: unknown): Promise<Response> {
  return callServer(() => fetch(API + path, { ...REFRESH.call, body: JSON.stringify(body) }));
}

function took({ access_token, expires_in }: Tokens): string {
  current = { token: access_token, until: Date.now() + expires_in * 1000 - EARLY_MS };
  state.value = "in";
  const others = waiting.value;
  waiting.value = [];
  for (const resolve of others) resolve(access_token);
  return access_token;
}
