// The pages of a server.

import "virtual:colours.css";
import "../tokens.css";
import "./app.css";

import { createApp } from "vue";

import { firstLanguage, keepLanguage } from "../look";
import { SPEECH, addCatalogue, speech } from "../words";
import App from "./App.vue";
import { router } from "./router";
import { reportCrash, isAborted, pageSurvives } from "./use/crash";
import { tell } from "./use/notices";
import { catalogues } from "./words";

for (const [language, more] of catalogues) addCatalogue(language, more);

const speaking = speech(firstLanguage(null));
keepLanguage(speaking.language, null);

const app = createApp(App);
app.config.errorHandler = (error, _part, where) => {
  if (!pageSurvives(where)) return reportCrash(error);
  if (isAborted(error)) return;
  console.error(error);
  tell(speaking.words.value.say("broken.beside"), { isBad: true });
};
router.onError((error: unknown) => {
  // Where a page is open, it stays: somebody may have typed something there.
  if (!router.currentRoute.value.matched.length) return reportCrash(error);
  if (isAborted(error)) return;
  console.error(error);
  tell(speaking.words.value.say("broken.outdated"), { isBad: true });
});
app.provide(SPEECH, speaking);
app.use(router);
app.mount("#app");
