// The first script of the pages, and a small one: asks who is logged in, for the words of the
// reader's language and for what a report needs, while the rest of the page is still on its way.

import { firstLanguage } from "../first_language";
import { firstQuestions, needsFewWords, refreshEarly } from "./api/early";
import { loadCatalogue, loadFirstWords, loadMoreWords } from "./words";

refreshEarly();
const language = firstLanguage(null);
const isReport = firstQuestions(location.pathname).length > 0;
const isBrief = needsFewWords(location.pathname);
const catalogue = isBrief ? loadFirstWords(language) : loadCatalogue(language);
const parsed = new Promise<void>((resolve) => {
  if (document.readyState !== "loading") resolve();
  else addEventListener("DOMContentLoaded", () => resolve(), { once: true });
});
void import("./main").then(async ({ show }) => {
  await parsed;
  show(language, await catalogue, isBrief ? () => loadMoreWords(language) : undefined);
});
// The scripts of a report do not wait for those of the page to find out whose it is.
if (isReport) import("./pages/checks/Check.vue").catch(() => undefined); // told when it is opened
