// Something that a person started: whether it runs, and what went wrong.

import { computed, ref, type ComputedRef, type Ref } from "vue";

import { Problem } from "../api/client";
import { rememberFocus } from "./focus";

export interface Action<A extends unknown[]> {
  run: (...values: A) => Promise<boolean>;
  isRunning: Readonly<Ref<boolean>>;
  problem: Readonly<Ref<Problem | null>>;
}

/** One at a time; `run` tells whether it went well, `problem` why not. */
export function useAction<A extends unknown[]>(act: (...values: A) => Promise<unknown>): Action<A> {
  const isRunning = ref(false);
  const problem = ref<Problem | null>(null);

  async function run(...values: A): Promise<boolean> {
    if (isRunning.value) return false;
    const restoreFocus = rememberFocus();
    isRunning.value = true;
    problem.value = null;
    try {
      await act(...values);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
      return false;
    } finally {
      isRunning.value = false;
      void restoreFocus();
    }
  }

  return { run, isRunning, problem };
}

/** What went wrong since a window was opened; what another one ended with is not said again. */
export function useFreshProblem({ problem }: Action<[]>): ComputedRef<Problem | null> {
  const before = problem.value;
  return computed(() => (problem.value === before ? null : problem.value));
}
