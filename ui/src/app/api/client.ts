// The one way to the server: a token that is renewed when it is due, and refusals as `Problem`.

import type { Value } from "../../words";
import { reauthenticate } from "./authentication";
import { takeAnswer } from "./early";
import { sessionEnded, token } from "./token";

export const API = "/api/v1";

/** What the server tells: in English, and as data for the reader's own language. */
export interface Sentence {
  sentence: string;
  code?: string | null;
  values?: Readonly<Record<string, Value>> | null;
  about?: string | null; // the file
}

/** A job, check or class: why it failed, if it did. */
export interface Failure {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
}

export function sentenceOf(failed: Failure): Sentence {
  return {
    sentence: failed.error ?? "",
    code: failed.error_code,
    values: failed.error_values as Record<string, Value> | null,
    about: failed.error_about,
  };
}

/** What the server refused, and why: a kind to translate by, and its own sentence. */
export class Problem extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly status: number,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly code = "",
    readonly values: Readonly<Record<string, Value>> = {},
    readonly about: string | null = null,
  ) {
    super(message);
  }
}

export type Query = Readonly<
  Record<string, string | number | boolean | null | undefined | readonly string[]>
>;

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

const ahead = new Map<string, Promise<unknown>>();
const AHEAD_MS = 10_000; // afterwards it is asked anew

/** Asks for what a page that is being opened is going to ask; `ask` takes the answer, once. */
export function askAhead(path: string): void {
  if (ahead.has(path)) return;
  const answer = ask(path);
  ahead.set(path, answer);
  answer.catch(() => ahead.delete(path)); // the page asks anew, and tells
  setTimeout(() => ahead.delete(path), AHEAD_MS);
}

function taken(path: string, { method, query, body }: RequestOptions): Promise<unknown> | undefined {
  if (method || query || body !== undefined) return undefined;
  const answer = ahead.get(path);
  ahead.delete(path);
  return answer;
}

/** Asks the server; who is logged out meanwhile logs in again, and the question is asked anew. */
export async function ask<T>(path: string, options: RequestOptions = {}): Promise<T> {
  try {
    const known = await taken(path, options);
    if (known !== undefined) return known as T;
  } catch {
    // asked anew
  }
  const answer = await request(path, options);
  if (answer.status === 204) return undefined as T;
  return (await answer.json()) as T;
}

/** A file from the server, and what it is to be called. */
export async function download(path: string, query: Query = {}, body?: unknown): Promise<void> {
  const method = body === undefined ? "GET" : "POST";
  await saveFile(await request(path, { query, method, body }));
}

/** Has the browser save an answer, under the name that it comes with. */
export async function saveFile(answer: Response): Promise<void> {
  const disposition = answer.headers.get("Content-Disposition") ?? "";
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]*)"/.exec(disposition)?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = coded ? decodeURIComponent(coded) : (plain ?? "download");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The answer to what was asked before this script was there; nothing where it was refused. */
async function early(path: string, options: RequestOptions): Promise<Response | null> {
  const { method, query, body } = options;
  if (method || query || body !== undefined) return null;
  try {
    const answer = await takeAnswer(path);
    return answer?.ok ? answer : null;
  } catch {
    return null;
  }
}

export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  for (;;) {
    const used = await token();
    const known = await early(path, options);
    if (known) return known;
    const headers: Record<string, string> = { Authorization: `Bearer ${used}` };
    if (options.body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await callServer(() =>
      fetch(address(path, options.query), {
        method: options.method ?? "GET",
        headers,
        body: options.body === undefined ? null : JSON.stringify(options.body),
        signal: options.signal ?? null,
      }),
    );
    if (answer.ok) return answer;
    const problem = await problemOf(answer);
    if (problem.kind === "not logged in") {
      sessionEnded(used); // the next turn waits for another token
    } else if (problem.kind !== "authenticate again" || !(await reauthenticate())) {
      throw problem;
    }
  }
}

export function address(path: string, query: Query = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one));
  }
  const text = pairs.toString();
  return `${API}${path}${text && `?${text}`}`;
}

/** An answer, or a `Problem` where there is no way to the server. */
export async function callServer(call: () => Promise<Response>): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem("no connection", "The server cannot be reached.", 0);
  }
}

/** How the server writes a refusal. */
export interface ProblemBody {
  kind: string;
  message: string;
  code?: string;
  values?: Record<string, Value>;
  about?: string | null;
  details?: Record<string, unknown>;
}

export async function problemOf(answer: Response): Promise<Problem> {
  try {
    const { kind, message, details, code, values, about } = (await answer.json()) as ProblemBody;
    return new Problem(kind, message, answer.status, details, code, values, about);
  } catch {
    return new Problem("internal error", answer.statusText, answer.status);
  }
}
