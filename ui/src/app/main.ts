// The pages of a server.

import "virtual:colours.css";
import "../tokens.css";
import "./app.css";

import { createApp } from "vue";

import { firstLanguage, keepLanguage } from "../look";
import { SPEECH, learn, speech } from "../words";
import App from "./App.vue";
import { router } from "./router";
import { breakDown, isGivenUp, stands } from "./use/broken";
import { tell } from "./use/notices";
import { catalogues } from "./words";

for (const [language, more] of catalogues) learn(language, more);

const speaking = speech(firstLanguage(null));
keepLanguage(speaking.language, null);

const app = createApp(App);
app.config.errorHandler = (error, _part, where) => {
  if (!stands(where)) return breakDown(error);
  if (isGivenUp(error)) return;
  console.error(error);
  tell(speaking.words.value.say("broken.beside"), { isBad: true });
};
router.onError((error: unknown) => {
  // Where a page is open, it stays: somebody may have typed something there.
  if (!router.currentRoute.value.matched.length) return breakDown(error);
  if (isGivenUp(error)) return;
  console.error(error);
  tell(speaking.words.value.say("broken.outdated"), { isBad: true });
});
app.provide(SPEECH, speaking);
app.use(router);
app.mount("#app");
