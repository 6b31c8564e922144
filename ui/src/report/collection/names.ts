// Names of documents as the page shows them: people and machines wrote them, so they may be anything.

import { harmless } from "../text";

/** For a sentence: its letters cannot turn the direction of the words around it. */
export function isolateName(name: string): string {
  return `\u2068${harmless(name)}\u2069`;
}

/** The last part of a path, cut in its middle where it is long: both ends tell names apart. */
export function shortName(name: string, most = 26): string {
  const whole = harmless(name);
  const last = whole.split("/").filter(Boolean).pop() ?? whole;
  const signs = [...last];
  if (signs.length <= most) return last;
  const tail = Math.floor((most - 1) / 2);
  return `${signs.slice(0, most - 1 - tail).join("")}…${signs.slice(-tail).join("")}`;
}

/** As names are searched: without regard to case or to how letters are put together. */
export function searchKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
