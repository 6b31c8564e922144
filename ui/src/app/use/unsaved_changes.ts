// Unsaved work is not lost by leaving a page.

import { onBeforeUnmount, onMounted, type Ref } from "vue";
import { onBeforeRouteLeave } from "vue-router";

import { useWords } from "../../words";

/** Asks before the page is left, in the words of `key`. */
export function guardUnsaved(isUnsaved: Ref<boolean>, key = "app.unsaved"): void {
  const words = useWords();
  const warn = (event: BeforeUnloadEvent) => {
    if (isUnsaved.value) event.preventDefault();
  };
  onMounted(() => addEventListener("beforeunload", warn));
  onBeforeUnmount(() => removeEventListener("beforeunload", warn));
  onBeforeRouteLeave(() => !isUnsaved.value || confirm(words.value.say(key)));
}
