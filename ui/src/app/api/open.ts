// What may be asked by whoever is not logged in.

import { API, problemOf, callServer } from "./client";

export async function askOpen<T>(path: string, body?: unknown): Promise<T> {
  const answer = await callServer(() =>
    fetch(API + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: "same-origin",
    }),
  );
  if (!answer.ok) throw await problemOf(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
