// Lists keep their place: who goes back finds them where they were left.

import type { Router } from "vue-router";

const MOST_MS = 3_000; // that a list may take to be there again
const places = new Map<string, number>(); // how far down, by the entry of the history
let isBack = false; // the way to this page led through the history
let isStepping = false;

/** Tells steps through the browser's history from other ways to a page; before the first of them,
 * so that they are heard of before the router acts on them. */
export function followHistory(router: Router): void {
  router.options.history.listen(() => (isStepping = true));
  router.beforeEach(() => {
    [isBack, isStepping] = [isStepping, false];
  });
}

const entryOf = () => {
  const { position } = (history.state ?? {}) as { position?: number };
  return `${position ?? 0} ${location.pathname}`;
};

/** The place of a list that scrolls by itself: `from` where it was left, 0 on any other way. */
export function usePlace(name: string): { from: number; keep: (top: number) => unknown } {
  const entry = entryOf();
  const key = `${entry} ${name}`;
  return {
    from: isBack ? (places.get(key) ?? 0) : 0,
    // A list that is being left has lost its filters already, and begins anew for a moment.
    keep: (top) => entryOf() === entry && void places.set(key, top),
  };
}

/** Resolves once the page is long enough to be scrolled that far, or does not become so. */
export function longEnough(top: number): Promise<void> {
  const last = performance.now() + MOST_MS;
  return new Promise((resolve) => {
    const look = () => {
      const reach = document.documentElement.scrollHeight - innerHeight;
      if (reach >= top - 1 || performance.now() > last) resolve();
      else setTimeout(look, 50);
    };
    look();
  });
}
