// Rows of a long list, fetched a page at a time as they come into sight.

import { onScopeDispose, ref, shallowReactive, watch, type Ref, type WatchSource } from "vue";

import { Problem } from "../api/client";
import { AGAIN_MS, isConnectionLost, LONGEST_MS, outdated, pause } from "../api/connection";

export interface PageOf<T> {
  items: T[];
  total: number;
}

export interface Rows<T> {
  total: Ref<number | null>; // not known yet
  problem: Ref<Problem | null>;
  at: (index: number) => T | undefined; // undefined while it is on its way
  loaded: () => T[];
  need: (first: number, last: number) => void;
  reload: () => void;
  turn: Ref<number>; // another one whenever everything is asked for anew
  question: Ref<number>; // another one whenever something else is asked for
}

const SIZE = 100;

/**
 * A list whose pages `load` brings; it begins anew when `source` changes. Where the connection is
 * lost they are asked for until it is back, and the rows that are there stay.
 */
export function rowsOf<T>(
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<PageOf<T>>,
  source?: WatchSource | WatchSource[],
): Rows<T> {
  const pages = shallowReactive(new Map<number, T[]>());
  const total = ref<number | null>(null);
  const problem = ref<Problem | null>(null);
  const turn = ref(0);
  const question = ref(0);
  let under = new Map<number, AbortController>();

  async function fetchPage(page: number): Promise<void> {
    const own = new AbortController();
    under.set(page, own);
    try {
      const reply = await loadUntilThere(page, own);
      if (!reply || own.signal.aborted) return;
      pages.set(page, reply.items);
      total.value = reply.total;
      problem.value = null;
    } catch (error) {
      if (own.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
    } finally {
      outdated.delete(own);
      if (under.get(page) === own) under.delete(page);
    }
  }

  async function loadUntilThere(page: number, own: AbortController): Promise<PageOf<T> | null> {
    const { signal } = own;
    for (let wait = AGAIN_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_MS)) {
      try {
        return await load(page * SIZE, SIZE, signal);
      } catch (error) {
        if (!isConnectionLost(error) || signal.aborted) throw error;
        outdated.add(own); // it is said once, for everything
      }
      await pause(wait, signal);
    }
    return null;
  }

  function need(first: number, last: number): void {
    const [from, to] = [Math.floor(first / SIZE), Math.floor(Math.max(last, 0) / SIZE)];
    // Who scrolls fast has passed other pages by: these are not waited for.
    for (const [page, call] of under) if (page < from - 1 || page > to + 1) call.abort();
    for (let page = from; page <= to; page++) {
      const isUnder = under.has(page) && !under.get(page)!.signal.aborted;
      if (!pages.has(page) && !isUnder) void fetchPage(page);
    }
  }

  function reload(): void {
    for (const call of under.values()) call.abort();
    under = new Map();
    pages.clear();
    turn.value++;
    need(0, 0);
  }

  if (source) {
    watch(source, () => {
      question.value++;
      reload();
    });
  }
  need(0, 0);
  onScopeDispose(() => under.forEach((call) => call.abort()));
  return {
    total,
    problem,
    at: (index) => pages.get(Math.floor(index / SIZE))?.[index % SIZE],
    loaded: () => [...pages.values()].flat(),
    need,
    reload,
    turn,
    question,
  };
}
