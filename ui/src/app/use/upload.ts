// Files that a page sends: how far they are, and a way to give it up.

import { computed, ref } from "vue";

import { Problem } from "../api/client";
import { upload, type UploadOptions } from "../api/upload";
import { rememberFocus } from "./focus";

export type Upload = ReturnType<typeof useUpload>;

export function useUpload() {
  const progress = ref<{ bytes: number; of: number } | null>(null);
  const problem = ref<Problem | null>(null);
  let controller: AbortController | null = null;

  /** What the server answers; nothing where it refuses, or somebody gives up. */
  async function send<T>(
    path: string,
    { files, request }: Pick<UploadOptions, "files" | "request">,
  ): Promise<T | null> {
    const restoreFocus = rememberFocus();
    problem.value = null;
    progress.value = { bytes: 0, of: files.reduce((sum, { file }) => sum + file.size, 0) };
    controller = new AbortController();
    try {
      return await upload<T>(path, {
        files,
        request,
        onProgress: (bytes, of) => (progress.value = { bytes, of }),
        signal: controller.signal,
      });
    } catch (error) {
      if (error instanceof Problem) problem.value = error;
      else if (!(error instanceof DOMException)) throw error;
      return null;
    } finally {
      progress.value = null;
      void restoreFocus();
    }
  }

  return {
    progress,
    problem,
    isSending: computed(() => progress.value !== null),
    send,
    cancel: () => controller?.abort(),
  };
}
