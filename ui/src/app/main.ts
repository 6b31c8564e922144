// The pages of a server.

import "virtual:colours.css";
import "../tokens.css";
import "./app.css";

import { createApp } from "vue";

import { firstLanguage } from "../first_language";
import { keepLanguage } from "../look";
import { SPEECH, addCatalogue, completeWords, speech, type Catalogue, type Language } from "../words";
import { needsFewWords } from "./api/early";
import App from "./App.vue";
import { router } from "./router";
import { reportCrash, isAborted, pageSurvives } from "./use/crash";
import { dismissErrors, tell } from "./use/notices";
import { opensLater } from "./use/waiting_page";
import { loadCatalogue } from "./words";

const QUIET_MS = 3_000; // until then a report has been opened

const speaking = speech(firstLanguage(null), async (chosen) => {
  try {
    addCatalogue(chosen, await loadCatalogue(chosen));
  } catch (error) {
    tell(speaking.words.value.say("broken.outdated"), { isBad: true });
    throw error;
  }
});
keepLanguage(speaking.language, null);

const app = createApp(App);
app.config.errorHandler = (error, _part, where) => {
  if (!pageSurvives(where)) return reportCrash(error);
  if (isAborted(error)) return;
  console.error(error);
  tell(speaking.words.value.say("broken.beside"), { isBad: true });
};
router.onError(async (error: unknown, page) => {
  // Where a page is open, it stays: somebody may have typed something there.
  if (!router.currentRoute.value.matched.length) return reportCrash(error);
  if (isAborted(error)) return;
  if (await opensLater(router, page)) return;
  console.error(error);
  tell(speaking.words.value.say("broken.outdated"), { isBad: true });
});
router.afterEach((to, from, failure) => {
  if (!failure && to.path !== from.path) dismissErrors();
});
app.provide(SPEECH, speaking);
app.use(router); // asks who is logged in, while the words are still on their way

/** Puts the page up, in the language that it begins with; `more` brings the words it does without. */
export function show(language: Language, words: Catalogue, more?: () => Promise<Catalogue>): void {
  addCatalogue(language, words, more);
  // Another page is not opened without its words.
  const stop = router.beforeResolve(async (to) => {
    if (needsFewWords(to.path)) return;
    await completeWords(language);
    stop();
  });
  app.mount("#app");
  setTimeout(() => completeWords(language).catch(() => undefined), QUIET_MS);
}
