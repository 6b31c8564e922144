// The first script of the pages, and a small one: asks who is logged in, and for the words of the
// reader's language, while the rest of the page is still on its way.

import { firstLanguage } from "../first_language";
import { refreshEarly } from "./api/early";
import { loadCatalogue } from "./words";

refreshEarly();
const language = firstLanguage(null);
const catalogue = loadCatalogue(language);
void import("./main").then(async ({ show }) => show(language, await catalogue));
