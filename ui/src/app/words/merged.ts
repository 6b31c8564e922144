import type { Catalogue } from "../../words";

/** One catalogue of many files. */
export function merged(files: Record<string, Catalogue>): Catalogue {
  return Object.assign({}, ...Object.values(files)) as Catalogue;
}
