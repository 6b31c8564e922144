// Files that are chosen one after the other, until they are sent together.

import { computed, ref } from "vue";

import type { Problem } from "../api/client";
import type { NamedFile } from "../parts/file_drop";

/** Chosen files; those of them that the server could not read are told by its refusal. */
export function useChosenFiles(refusal: { value: Problem | null }) {
  const files = ref<NamedFile[]>([]);

  /** What has the name of another is chosen already. */
  function add(more: readonly NamedFile[]): void {
    const known = new Set(files.value.map((one) => one.name));
    files.value = [...files.value, ...more.filter((one) => !known.has(one.name))];
  }

  const unreadable = computed(() => {
    const refused = refusal.value?.details.files;
    const names = Array.isArray(refused)
      ? (refused as { name: string }[]).map(({ name }) => name)
      : [];
    return files.value.filter((one) => names.includes(one.name));
  });

  /** One bad file must not keep the others away. */
  function leaveOut(): void {
    const bad = unreadable.value;
    files.value = files.value.filter((one) => !bad.includes(one));
    refusal.value = null;
  }

  return { files, add, unreadable, leaveOut };
}
