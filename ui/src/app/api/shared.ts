// What a link opens. Its token is taken out of the address at once: no history, no other page and
// no picture of the screen has it. The tab remembers it, so that it can be loaded anew.

import { address, API, callServer, Problem, problemOf, saveFile, type Query } from "./client";
import { state, token as accessToken } from "./token";

const KEPT = "likewise.shared";
const TOKEN = /^#([ap][\w-]{43})$/;

/** The token of the link that was opened in this tab; empty where none was. */
export function takeToken(): string {
  const found = TOKEN.exec(location.hash)?.[1];
  if (found) {
    sessionStorage.setItem(KEPT, found);
    history.replaceState(history.state, "", location.pathname);
  }
  return sessionStorage.getItem(KEPT) ?? "";
}

export interface SharedOptions {
  method?: "GET" | "POST" | "DELETE";
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

/** Asks by a link; of one for a single person as who is logged in, if anybody is. */
export async function askShared<T>(token: string, path: string, how: SharedOptions = {}): Promise<T> {
  const answer = await requestShared(token, path, how);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

export async function downloadShared(token: string, query: Query): Promise<void> {
  await saveFile(await requestShared(token, "/report", { query }));
}

let isPersonal = false; // then every request says who asks

async function requestShared(token: string, path: string, how: SharedOptions): Promise<Response> {
  const send = async (access: string | null) => {
    const headers: Record<string, string> = { "Link-Token": token };
    if (access) headers.Authorization = `Bearer ${access}`;
    if (how.body !== undefined) headers["Content-Type"] = "application/json";
    return callServer(() =>
      fetch(how.query ? address(`/shared${path}`, how.query) : `${API}/shared${path}`, {
        method: how.method ?? "GET",
        headers,
        body: how.body === undefined ? null : JSON.stringify(how.body),
        signal: how.signal ?? null,
        credentials: "same-origin",
      }),
    );
  };
  const answer = await send(isPersonal ? await whoIsThere() : null);
  if (answer.ok) return answer;
  const problem = await problemOf(answer);
  if (problem.code !== "server.link_log_in") throw problem;
  const access = await whoIsThere();
  if (!access) throw problem;
  const again = await send(access);
  if (!again.ok) throw await problemOf(again);
  isPersonal = true;
  return again;
}

/** The token of whoever is logged in; nothing where nobody is. */
function whoIsThere(): Promise<string | null> {
  return Promise.race([
    accessToken(),
    new Promise<null>((resolve) => {
      const look = () => {
        if (state.value === "out" || state.value === "expired") resolve(null);
        else if (state.value === "unknown") setTimeout(look, 20);
      };
      look();
    }),
  ]);
}

export { Problem };
