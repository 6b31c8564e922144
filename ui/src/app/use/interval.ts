// Again and again, as long as something goes on and the page is looked at.

import { onScopeDispose, watch, type Ref } from "vue";

export function useInterval(act: () => unknown, isOn: Ref<boolean>, everyMs: number): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => clearInterval(timer);
  watch(
    isOn,
    (now) => {
      stop();
      if (now) timer = setInterval(() => document.hidden || act(), everyMs);
    },
    { immediate: true },
  );
  onScopeDispose(stop);
}
