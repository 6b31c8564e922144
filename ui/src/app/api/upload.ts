// Files to the server, with how much of them is there already.

import { API, Problem, type ProblemBody } from "./client";
import { sessionEnded, token } from "./token";

export interface UploadOptions {
  files: readonly { file: Blob; name: string }[];
  request?: unknown;
  onProgress?: (bytes: number, of: number) => void;
  signal?: AbortSignal;
}

/** Posts files and a request beside them; `onProgress` hears how far it is. Who is logged out meanwhile
 * logs in again, and everything is sent anew. */
export async function upload<T>(path: string, options: UploadOptions): Promise<T> {
  const form = new FormData();
  if (options.request !== undefined) form.append("request", JSON.stringify(options.request));
  for (const { file, name } of options.files) form.append("file", file, name);
  for (;;) {
    const used = await token();
    options.signal?.throwIfAborted();
    try {
      return await send<T>(path, form, used, options);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "not logged in") throw error;
      sessionEnded(used); // the next turn waits for another token
    }
  }
}

function send<T>(path: string, form: FormData, bearer: string, options: UploadOptions): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", API + path);
    call.setRequestHeader("Authorization", `Bearer ${bearer}`);
    call.responseType = "json";
    call.upload.onprogress = (event) => options.onProgress?.(event.loaded, event.total);
    call.onload = () => {
      if (call.status < 300) return resolve(call.response as T);
      const body = (call.response ?? {}) as Partial<ProblemBody>;
      const { kind = "internal error", message = call.statusText, details, code, values, about } = body;
      reject(new Problem(kind, message, call.status, details, code, values, about));
    };
    call.onerror = () => reject(new Problem("no connection", "The server cannot be reached.", 0));
    call.onabort = () => reject(new DOMException("given up", "AbortError"));
    options.signal?.addEventListener("abort", () => call.abort());
    call.send(form);
  });
}
