// What is shown stands in the address: #pairs and other tabs, #document-17 or, as in a collection,
// #pair-17, so that a link shows the same and the browser's Back leads to the tab.

import { nextTick, onBeforeUnmount, onMounted, ref, type Ref } from "vue";

import { hashOf, placeIn, type Place as PairPlace } from "../collection/address";

export const TABS = ["students", "pairs", "clusters", "matrix", "details"] as const;
export type Tab = (typeof TABS)[number];

export type Place =
  | { kind: "document"; document: number } // from 0
  | ({ kind: "pair" } & PairPlace);

export interface Address {
  tab: Ref<Tab>;
  showTab: (tab: Tab) => void; // without a step of history
  place: Ref<Place | null>; // nothing: the tab
  turn: (place: Place) => void; // to another one, without a step of history
  back: () => void;
}

const PATTERN = /^#document-([1-9]\d{0,8})(?:-(?:passage|fragment)-[\d-]+)?$/; // see ../passage_address.ts
const PART_OF: Readonly<Record<string, Tab>> = { documents: "students", unchecked: "details" };

export function hashOfDocument(document: number): string {
  return `#document-${document + 1}`;
}

function tabIn(hash: string): Tab | null {
  const part = hash.slice(1);
  return TABS.find((tab) => tab === part) ?? PART_OF[part] ?? null;
}

export function useAddress(documents: number, pairs: number): Address {
  const place = ref<Place | null>(null);
  const tab = ref<Tab>("students");
  let openedHere = false; // a step back leads to the tab

  function read(): void {
    const document = Number(PATTERN.exec(location.hash)?.[1]) - 1;
    const pair = placeIn(location.hash, pairs);
    if (document < documents) place.value = { kind: "document", document };
    else place.value = pair && { kind: "pair", ...pair };
    if (place.value) return;
    tab.value = tabIn(location.hash) ?? (location.hash ? tab.value : "students");
  }

  async function move(): Promise<void> {
    const wasOpen = place.value !== null;
    read();
    if (place.value && !wasOpen) openedHere = true;
    else if (!place.value) openedHere = false;
    if (place.value || !(location.hash.slice(1) in PART_OF)) return;
    await nextTick(); // what the link is about may have been in another tab
    const part = document.getElementById(location.hash.slice(1));
    part?.scrollIntoView();
    part?.focus({ preventScroll: true });
  }

  function turn(to: Place): void {
    const hash = to.kind === "document" ? hashOfDocument(to.document) : hashOf(to);
    history.replaceState(history.state, "", hash);
    read();
  }

  function showTab(to: Tab): void {
    history.replaceState(history.state, "", `#${to}`);
    read();
  }

  function back(): void {
    if (openedHere) history.back();
    else location.hash = `#${tab.value}`;
  }

  /** Links to a part of what is open scroll there; the address goes on to tell what is open. */
  function follow(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    const part = link && document.getElementById(link.hash.slice(1));
    if (!part || !place.value) return;
    event.preventDefault();
    part.scrollIntoView();
    part.focus({ preventScroll: true });
  }

  onMounted(() => {
    read();
    addEventListener("hashchange", move);
    addEventListener("click", follow);
  });
  onBeforeUnmount(() => {
    removeEventListener("hashchange", move);
    removeEventListener("click", follow);
  });
  return { tab, showTab, place, turn, back };
}
