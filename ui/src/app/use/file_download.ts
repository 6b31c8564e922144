// A file that takes a while to be made and to come: how far it is, and a way to give it up.

import { computed, ref } from "vue";

import { Problem, request, saveFile } from "../api/client";
import { rememberFocus } from "./focus";

/** `of` is 0 while it is being made, or where nobody knows how long it is. */
export function useFileDownload() {
  const progress = ref<{ bytes: number; of: number } | null>(null);
  const problem = ref<Problem | null>(null);
  let controller: AbortController | null = null;

  /** Whether the file was saved. */
  async function run(path: string): Promise<boolean> {
    if (progress.value) return false;
    const restoreFocus = rememberFocus();
    problem.value = null;
    progress.value = { bytes: 0, of: 0 };
    controller = new AbortController();
    try {
      const answer = await request(path, { signal: controller.signal });
      await saveFile(new Response(counted(answer), { headers: answer.headers }));
      return true;
    } catch (error) {
      if (error instanceof Problem) problem.value = error;
      else if (error instanceof TypeError) problem.value = new Problem("no connection", "", 0);
      else if (!(error instanceof DOMException)) throw error;
      return false;
    } finally {
      progress.value = null;
      void restoreFocus();
    }
  }

  /** The body of an answer, whose bytes are counted as they come. */
  function counted(answer: Response): ReadableStream<Uint8Array> {
    const of = Number(answer.headers.get("Content-Length") ?? 0);
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, forward) {
        bytes += piece.byteLength;
        progress.value = { bytes, of };
        forward.enqueue(piece);
      },
    });
    return answer.body!.pipeThrough(counter);
  }

  return {
    progress,
    problem,
    isRunning: computed(() => progress.value !== null),
    run,
    cancel: () => controller?.abort(),
  };
}
