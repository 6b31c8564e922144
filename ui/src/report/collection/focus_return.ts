// Who comes back from what was opened finds the page as it was left.

import { nextTick, watch, type Ref } from "vue";

/** The focus goes to the row of what was open last, whose link `address` tells. */
export function useReturn(isOpen: Readonly<Ref<boolean>>, address: () => string | null): void {
  let scrolledTo = 0;
  let last: string | null = null;
  watch(address, (now) => (last = now ?? last), { flush: "sync", immediate: true });
  let cameFrom: HTMLElement | null = null;
  watch(
    isOpen,
    async (open) => {
      if (open) {
        scrolledTo = scrollY;
        cameFrom = document.activeElement as HTMLElement | null;
      }
      await nextTick();
      scrollTo({ top: open ? 0 : scrolledTo });
      if (open) return;
      const links = document.querySelectorAll<HTMLElement>(`main a[href="${last}"]`);
      const row = [...links].find((link) => link.getClientRects().length); // not of a hidden tab
      const isSame = cameFrom?.getAttribute("href") === last && cameFrom?.isConnected;
      const back = isSame ? cameFrom : (row ?? cameFrom);
      back?.focus({ preventScroll: true });
      if (back === row) row?.scrollIntoView({ block: "nearest" }); // the reader turned to others
    },
    { flush: "pre" },
  );
}
