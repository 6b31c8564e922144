// On paper nothing can be opened and sheets are narrow: the page is made ready before it is printed.

import { onBeforeUnmount, onMounted } from "vue";

export function useBeforePrint(prepare: () => void, restore: () => void = () => {}): void {
  const paper = matchMedia("print");
  const turn = () => (paper.matches ? prepare() : restore());
  onMounted(() => {
    addEventListener("beforeprint", prepare);
    addEventListener("afterprint", restore);
    paper.addEventListener("change", turn);
  });
  onBeforeUnmount(() => {
    removeEventListener("beforeprint", prepare);
    removeEventListener("afterprint", restore);
    paper.removeEventListener("change", turn);
  });
}
