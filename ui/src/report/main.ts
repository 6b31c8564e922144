// The report as one file: unpacks what page.py put beside this script, and shows it.

import "virtual:colours.css";
import "../tokens.css";
import "./pair.css";
import "./report.css";
import "./catalogue";

import { createApp } from "vue";

import { firstLanguage } from "../first_language";
import { keepLanguage } from "../look";
import { LANGUAGES, SPEECH, speech, type Language } from "../words";
import Report from "./Report.vue";
import { unpackView } from "./unpack";

// Counting is there to be looked at: a test holds it against the package's own.
export { anew } from "./recount";

async function show(): Promise<void> {
  const root = document.getElementById("report")!;
  root.classList.add("report-root"); // which its style sheet is for
  const language = document.documentElement.dataset.language as Language | undefined;
  const given = language && LANGUAGES.includes(language) ? language : null;
  if (!("DecompressionStream" in window)) return; // the page says so by itself
  const view = await unpackView(document.getElementById("view")!);
  const speaking = speech(firstLanguage(given));
  keepLanguage(speaking.language, given);
  const app = createApp(Report, { view });
  app.provide(SPEECH, speaking);
  app.mount(root);
}

void show();
