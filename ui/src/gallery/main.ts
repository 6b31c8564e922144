// Every component of report and pages in every state, on one page that needs no server.

import "virtual:colours.css";
import "../tokens.css";
import "../report/pair.css";
import "../report/report.css";
import "../app/app.css";

import { createApp } from "vue";
import { createMemoryHistory, createRouter } from "vue-router";

import { me } from "../app/api/session";
import { tell } from "../app/use/notices";
import { loadCatalogue } from "../app/words";
import { keepLanguage, THEMES, useTheme } from "../look";
import { addCatalogue, LANGUAGES, SPEECH, speech } from "../words";
import Gallery from "./Gallery.vue";
import { PERSON } from "./samples";

async function show(): Promise<void> {
  for (const each of LANGUAGES) addCatalogue(each, await loadCatalogue(each));

  const asked = new URLSearchParams(location.search);
  const language = LANGUAGES.find((each) => each === asked.get("language")) ?? "en";
  const theme = THEMES.find((each) => each === asked.get("theme")) ?? "light";

  const speaking = speech(language);
  keepLanguage(speaking.language, null);
  useTheme().value = theme;
  me.value = PERSON;

  const router = createRouter({
    history: createMemoryHistory(), // links lead nowhere
    routes: [{ path: "/:path(.*)*", component: Gallery }],
  });
  const app = createApp(Gallery);
  app.provide(SPEECH, speaking);
  app.use(router);
  app.mount("#app");
  // The page begins at its top, whatever in it would like to be typed into first.
  document.getElementById("main")!.focus({ preventScroll: true });

  tell(speaking.words.value.say("app.saved"));
  tell(speaking.words.value.say("broken.beside"), { isBad: true });
}

void show();
