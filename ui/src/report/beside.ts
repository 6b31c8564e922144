// What stands beside the text of a report and after it on paper: on a page of a server it is loaded
// once the text is there.

export { default as Appendix } from "./Appendix.vue";
export { default as Panel } from "./Panel.vue";
export { default as PrintedPassages } from "./PrintedPassages.vue";
export { default as SidePane } from "./SidePane.vue";
