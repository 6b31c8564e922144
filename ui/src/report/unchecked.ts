// What was not compared: the same for the head, which counts it, and for its list.

import type { Reader } from "./reader";
import type { NoteView } from "./view";

/** Notes of files that were read in part only. */
export function readInPart({ view }: Reader): NoteView[] {
  return view.notes.filter((note) => note.in_part);
}

/** Sources that somebody excluded, before the report was made or now in this page. */
export function takenOut({ view, readerExclusions }: Reader): string[] {
  const now = [...readerExclusions.value.sources].map((source) => view.sources[source]!.text.name);
  return [...view.taken_out, ...now];
}

/** How many things could not be checked; what was left out on request is none of them. */
export function countUnchecked(reader: Reader): number {
  const { unread, left_out, other_languages } = reader.view.unchecked;
  return unread.length + readInPart(reader).length + left_out.length + (other_languages ? 1 : 0);
}
