// What is open stands in the address: #document-17 or, as in a collection, #pair-17, so that a link
// shows the same and the browser's Back leads to the dashboard.

import { onBeforeUnmount, onMounted, ref, type Ref } from "vue";

import { hashOf, placeIn, type Place as PairPlace } from "../collection/address";

export type Place =
  | { kind: "document"; document: number } // from 0
  | ({ kind: "pair" } & PairPlace);

export interface Address {
  place: Ref<Place | null>; // nothing: the dashboard
  turn: (place: Place) => void; // to another one, without a step of history
  back: () => void;
}

const PATTERN = /^#document-([1-9]\d{0,8})(?:-(?:passage|fragment)-[\d-]+)?$/; // see ../passage_address.ts

export function hashOfDocument(document: number): string {
  return `#document-${document + 1}`;
}

export function useAddress(documents: number, pairs: number): Address {
  const place = ref<Place | null>(null);
  let openedHere = false; // a step back leads to the dashboard

  function read(): void {
    const document = Number(PATTERN.exec(location.hash)?.[1]) - 1;
    const pair = placeIn(location.hash, pairs);
    if (document < documents) place.value = { kind: "document", document };
    else place.value = pair && { kind: "pair", ...pair };
  }

  function move(): void {
    const wasOpen = place.value !== null;
    read();
    if (place.value && !wasOpen) openedHere = true;
    else if (!place.value) openedHere = false;
  }

  function turn(to: Place): void {
    const hash = to.kind === "document" ? hashOfDocument(to.document) : hashOf(to);
    history.replaceState(history.state, "", hash);
    read();
  }

  function back(): void {
    if (openedHere) history.back();
    else location.hash = "#documents";
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
  return { place, turn, back };
}
