// How much room something takes, as people say it.

import type { Words } from "../../words";

const KINDS = [
  ["gb", 1e9],
  ["mb", 1e6],
  ["kb", 1e3],
] as const;

export function formatSize(words: Words, bytes: number): string {
  const [unit, size] = KINDS.find(([, each]) => bytes >= each) ?? KINDS[2];
  const tenths = Math.max(1, Math.round((10 * bytes) / size));
  const [whole, tenth] = [Math.floor(tenths / 10), tenths % 10];
  const isShort = whole < 100 && tenth > 0;
  return words.say(`size.${unit}`, {
    n: isShort ? words.decimal(`${whole}.${tenth}`) : words.number(whole),
  });
}
