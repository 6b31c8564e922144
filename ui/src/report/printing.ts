// Whether the page is being printed: on paper nothing can be opened, so that everything is shown.

import { readonly, ref } from "vue";

const is = ref(false);
const paper = matchMedia("print");
addEventListener("beforeprint", () => (is.value = true));
addEventListener("afterprint", () => (is.value = false));
paper.addEventListener("change", () => (is.value = paper.matches));

export const printing = readonly(is);
