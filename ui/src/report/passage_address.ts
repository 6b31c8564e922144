// The open passage stands in the address, so that it can be sent to somebody: #passage-12-3480, or in
// a class #document-2-passage-12-3480. The last number is the place in the text where the passage
// begins: numbers of passages change as something is excluded, places do not.

import type { CheckView } from "./view";

const PASSAGE = /(?:^#|-)(passage|fragment)-([1-9]\d{0,8})(?:-(\d{1,9}))?$/;
const DOCUMENT = /^#document-[1-9]\d{0,8}(?=-|$)/;

/** The address of a passage; of no passage, that of the report. */
export function hashOfPassage(view: CheckView, passage: number | null): string {
  const document = DOCUMENT.exec(location.hash)?.[0] ?? "";
  if (passage === null) return document;
  const { number, a } = view.passages[passage]!;
  const own = number === null ? `fragment-${passage + 1}` : `passage-${number}`;
  return `${document || "#"}${document && "-"}${own}-${a[0]}`;
}

/** The passage that an address names; nothing where it names none, or none that is there. */
export function passageIn(
  hash: string,
  view: CheckView,
  visible: readonly number[],
): number | null {
  const [, kind, text, place] = PASSAGE.exec(hash) ?? [];
  if (!kind) return null;
  const number = Number(text);
  const named =
    kind === "fragment"
      ? view.passages[number - 1]?.number === null
        ? number - 1
        : -1
      : view.passages.findIndex((each) => each.number === number);
  if (place === undefined) return named < 0 ? null : named;
  const start = Number(place);
  if (view.passages[named]?.a[0] === start) return named;
  const isThere = (passage: number) => view.passages[passage]!.a[0] === start;
  const there = visible.find(isThere) ?? view.passages.findIndex((_, passage) => isThere(passage));
  return there < 0 ? null : there;
}

/** Where in the text an address says that its passage begins; nothing where it names no passage. */
export function placeIn(hash: string): number | null {
  const [, kind, , place] = PASSAGE.exec(hash) ?? [];
  return kind ? Number(place ?? 0) : null;
}

/** Puts the open passage into the address, without a step of history. */
export function tellPassage(view: CheckView, passage: number | null): void {
  const hash = hashOfPassage(view, passage);
  if (hash === location.hash || (passage === null && !PASSAGE.test(location.hash))) return;
  history.replaceState(history.state, "", hash || `${location.pathname}${location.search}`);
}

/** Copies a text; whether that went well. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // where the page came without encryption, or the browser forbids it
  }
}
