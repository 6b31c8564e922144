// What the server would refuse is refused before it is sent, in the same words.

import { ask, Problem } from "../api/client";
import type { Limits } from "../api/shapes";
import type { NamedFile } from "../parts/file_drop";
import { useResource, type Resource } from "./resource";

const PLAIN_TEXT = /\.(txt|text|md|markdown|log)$/i;

export function useLimits(): Resource<Limits> {
  return useResource((signal) => ask<Limits>("/limits", { signal }));
}

/** Why files cannot be sent together; nothing where they can, or where limits are not known. */
export function refusalOf(files: readonly NamedFile[], limits: Limits | null): Problem | null {
  if (!limits) return null;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > limits.upload_bytes)
    return tooLarge("server.upload_bytes", { most: limits.upload_bytes });
  if (files.length > limits.files) return tooLarge("server.upload_files", { n: limits.files });
  return null;
}

/** Why one file cannot be checked: a text may be too long for it. */
export function textRefusalOf({ file, name }: NamedFile, limits: Limits | null): Problem | null {
  if (!limits || !PLAIN_TEXT.test(name) || file.size <= limits.text_bytes) return null;
  return tooLarge("server.text_too_long", { n: file.size, most: limits.text_bytes }, name);
}

/** The same as `refusalOf` for files that are checked. */
export function checkRefusalOf(files: readonly NamedFile[], limits: Limits | null): Problem | null {
  for (const each of files) {
    const long = textRefusalOf(each, limits);
    if (long) return long;
  }
  return refusalOf(files, limits);
}

function tooLarge(code: string, values: Record<string, number>, about: string | null = null) {
  return new Problem("too large", "", 413, {}, code, values, about);
}
