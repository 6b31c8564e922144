// The view is in the page as compressed JSON, written in letters.

import { markRaw } from "vue";

import type { View } from "./view";

export async function unpackView(block: HTMLElement): Promise<View> {
  const letters = atob(block.textContent.trim());
  block.remove();
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return markRaw(JSON.parse(await new Response(stream).text()) as View);
}
