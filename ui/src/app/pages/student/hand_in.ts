// What a student is about to hand in: files, each of which may be wrong in a way of its own, and the
// consent that goes with them. Nothing that was chosen is lost by a refusal.

import { computed, ref, watch } from "vue";

import type { Sentence } from "../../api/client";
import { isArchive, type NamedFile } from "../../parts/file_drop";
import { useChosenFiles } from "../../use/chosen_files";
import { refusalOf, textRefusalOf, useLimits } from "../../use/limits";
import { takeHanded } from "../../use/handed_files";
import { useResource } from "../../use/resource";
import { useUpload } from "../../use/upload";
import { currentConsent } from "./consent";

interface RefusedFile {
  name: string;
  reason: string;
  code: string;
  values: Sentence["values"];
}

/** Files to be sent with consent; `most` of them. */
export function useHandIn() {
  const upload = useUpload();
  const chosen = useChosenFiles(upload.problem);
  chosen.add(takeHanded());
  const limits = useLimits();
  const consent = useResource(currentConsent);
  const isAgreed = ref(false);
  watch(consent.data, (now, before) => {
    if (now?.id !== before?.id) isAgreed.value = false; // another text is agreed to anew
  });
  watch(upload.problem, (now) => {
    if (now?.code === "server.consent_changed") void consent.reload();
  });

  /** Why single files cannot be handed in, by their names. */
  const wrongs = computed(() => {
    const found = new Map<string, Sentence>();
    const refused = upload.problem.value?.details.files;
    if (Array.isArray(refused))
      for (const { name, reason, code, values } of refused as RefusedFile[])
        found.set(name, { sentence: reason, code, values });
    for (const one of chosen.files.value) {
      const wrong = wrongOf(one);
      if (wrong) found.set(one.name, wrong);
    }
    return found;
  });

  function wrongOf(one: NamedFile): Sentence | null {
    if (isArchive(one))
      return { sentence: "", code: "server.archive_alone", values: { name: one.name } };
    const refusal = textRefusalOf(one, limits.data.value);
    return refusal && { sentence: "", code: refusal.code, values: refusal.values };
  }

  const rest = computed(() => chosen.files.value.filter(({ name }) => !wrongs.value.has(name)));
  function leaveOutWrong(): void {
    chosen.files.value = rest.value;
    upload.problem.value = null;
  }

  return {
    upload,
    ...chosen,
    consent,
    isAgreed,
    wrongs,
    rest,
    leaveOutWrong,
    refusal: computed(() => refusalOf(chosen.files.value, limits.data.value)),
    isReady: computed(
      () =>
        chosen.files.value.length > 0 &&
        rest.value.length === chosen.files.value.length &&
        !refusalOf(chosen.files.value, limits.data.value) &&
        !consent.isLoading.value &&
        !consent.problem.value &&
        (!consent.data.value || isAgreed.value),
    ),
  };
}
