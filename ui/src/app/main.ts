// The pages of a server.

import "virtual:colours.css";
import "../tokens.css";
import "./app.css";

import { createApp } from "vue";

import { firstLanguage, keepLanguage } from "../look";
import { SPEECH, learn, speech } from "../words";
import App from "./App.vue";
import { router } from "./router";
import { catalogues } from "./words";

for (const [language, more] of catalogues) learn(language, more);

const speaking = speech(firstLanguage(null));
keepLanguage(speaking.language, null);

const app = createApp(App);
app.provide(SPEECH, speaking);
app.use(router);
app.mount("#app");
