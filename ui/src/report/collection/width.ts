// How wide a drawing may be, so that its letters keep their size on every screen and on paper.

import { onBeforeUnmount, onMounted, ref, type Ref } from "vue";

import { useBeforePrint } from "./printing";

const ON_PAPER = 680;

export function useWidth(box: Readonly<Ref<HTMLElement | null>>, first: number): Ref<number> {
  const width = ref(first);
  const measure = () => {
    const now = Math.floor(box.value?.clientWidth ?? 0);
    if (now > 0) width.value = now; // a hidden box has no width
  };
  const watching = new ResizeObserver(measure);
  onMounted(() => box.value && watching.observe(box.value));
  onBeforeUnmount(() => watching.disconnect());
  useBeforePrint(() => (width.value = ON_PAPER), measure);
  return width;
}
