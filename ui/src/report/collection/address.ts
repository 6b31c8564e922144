// Which pair is open stands in the address (#pair-17, or #pair-17-3 for its third passage), so that
// a link shows the same view and the browser's Back leads to the collection.

import { onBeforeUnmount, onMounted, ref, type Ref } from "vue";

/** Ranks, from 0. */
export interface Place {
  pair: number;
  passage: number;
}

export interface Address {
  place: Ref<Place | null>; // nothing: the collection
  open: (place: Place) => void;
  turn: (place: Place) => void; // to another pair or passage, without a step of history
  back: () => void;
}

const PATTERN = /^#pair-([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/;

/** The pair that an address names, if there is such a pair. */
export function placeIn(hash: string, pairs: number): Place | null {
  const match = PATTERN.exec(hash);
  const pair = Number(match?.[1]) - 1;
  return match && pair < pairs ? { pair, passage: Number(match[2] ?? 1) - 1 } : null;
}

export function hashOf({ pair, passage }: Place): string {
  return `#pair-${pair + 1}${passage ? `-${passage + 1}` : ""}`;
}

export function useAddress(pairs: number): Address {
  const place = ref<Place | null>(null);
  let openedHere = false; // a step back leads to the collection

  function read(): void {
    place.value = placeIn(location.hash, pairs);
  }

  /** By a link, a step of history, or by hand. */
  function move(): void {
    const wasOpen = place.value !== null;
    read();
    if (place.value && !wasOpen) openedHere = true;
    else if (!place.value) openedHere = false;
  }

  function open(to: Place): void {
    location.hash = hashOf(to);
  }

  function turn(to: Place): void {
    history.replaceState(history.state, "", hashOf(to));
    read();
  }

  function back(): void {
    if (openedHere) history.back();
    else location.hash = "#pairs";
  }

  onMounted(() => {
    read();
    addEventListener("hashchange", move);
  });
  onBeforeUnmount(() => removeEventListener("hashchange", move));
  return { place, open, turn, back };
}
