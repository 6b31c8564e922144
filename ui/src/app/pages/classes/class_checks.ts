// The checks of a class, and in which order its page listed them last: so that a student's page
// leads to the next student of the table, however it was sorted or searched.

import { computed, type ComputedRef } from "vue";

import { ask } from "../../api/client";
import type { CheckDetail, CheckShape, PageCheckShape } from "../../api/shapes";
import { useResource } from "../../use/resource";

const AT_ONCE = 500;

/** All checks of a class, those with most similar text first. */
export async function loadChecks(batch: string, signal: AbortSignal): Promise<CheckShape[]> {
  const checks: CheckShape[] = [];
  for (;;) {
    const query = { limit: AT_ONCE, offset: checks.length };
    const page = await ask<PageCheckShape>(`/batches/${batch}/checks`, { query, signal });
    checks.push(...page.items);
    if (checks.length >= page.total || !page.items.length) return checks;
  }
}

let listed: { batch: string; checks: readonly string[] } | null = null;

export function keepOrder(batch: string, checks: readonly string[]): void {
  listed = { batch, checks };
}

export interface Neighbours {
  number: number; // from 1
  all: number;
  previous: string | undefined; // checks
  next: string | undefined;
}

/** Who stands before and after a check in its class; nothing for a check of its own. */
export function useNeighbours(check: CheckDetail): ComputedRef<Neighbours | null> {
  const { data } = useResource(async (signal): Promise<readonly string[]> => {
    if (!check.batch) return [];
    if (listed?.batch === check.batch && listed.checks.includes(check.id)) return listed.checks;
    return (await loadChecks(check.batch, signal)).map(({ id }) => id);
  });
  return computed(() => {
    const order = data.value ?? [];
    const at = order.indexOf(check.id);
    if (at < 0) return null;
    return { number: at + 1, all: order.length, previous: order[at - 1], next: order[at + 1] };
  });
}
