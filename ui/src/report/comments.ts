// What teachers wrote beside places of the text, and how a server's page adds to it.

import type { ComputedRef, InjectionKey } from "vue";

import type { CheckView, Span } from "./view";

export interface CommentView {
  id: string;
  span: Span;
  by: string;
  on: string; // ISO 8601, UTC, to the second
  comment: string;
}

/** What a page of a server can do with comments; a file has none of it. */
export interface Commenting {
  comments: ComputedRef<readonly CommentView[]>; // as they are now
  add(span: Span, comment: string): Promise<void>;
  remove(id: string): Promise<void>;
  isMine(id: string): boolean;
  mayAdd?: ComputedRef<boolean>; // else whoever sees them may
}

export const COMMENTING: InjectionKey<Commenting> = Symbol("commenting");

/** Comments in the order of the text; older views have none. */
export function commentsOf(view: CheckView): readonly CommentView[] {
  const { comments } = view as CheckView & { comments?: readonly CommentView[] };
  return inOrder(comments ?? []);
}

export function inOrder(comments: readonly CommentView[]): readonly CommentView[] {
  return [...comments].sort((x, y) => x.span[0] - y.span[0] || x.on.localeCompare(y.on));
}

/** How many characters two places have in common. */
export function overlap(x: Span, y: Span): number {
  return Math.max(0, Math.min(x[1], y[1]) - Math.max(x[0], y[0]));
}

/** Which of some passages a comment belongs to: the one that has most in common with its place. */
export function passageAt(
  view: CheckView,
  passages: readonly number[],
  place: Span,
): number | null {
  let best: number | null = null;
  let most = 0;
  for (const i of passages) {
    const { a } = view.passages[i]!;
    const all = Math.max(a[1], place[1]) - Math.min(a[0], place[0]);
    const likeness = overlap(a, place) / all;
    if (likeness > most) [best, most] = [i, likeness];
  }
  return best;
}
