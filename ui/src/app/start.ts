// The first script of the pages, and a small one: asks for the words of the reader's language while
// the rest of the page is still on its way.

import { firstLanguage } from "../first_language";
import { loadCatalogue } from "./words";

const language = firstLanguage(null);
const catalogue = loadCatalogue(language);
void import("./main").then(async ({ show }) => show(language, await catalogue));
