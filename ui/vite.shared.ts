// What both pages are built with.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import vue from "@vitejs/plugin-vue";
import type { Plugin, UserConfig } from "vite";

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A class for the colour of each source: `--source` to write on, `--source-strong` for lines. */
function coloursOfSources(): Plugin {
  const id = "virtual:colours.css";
  return {
    name: "colours-of-sources",
    resolveId: (asked) => (asked === id ? `\0${id}` : null),
    load(asked) {
      if (asked !== `\0${id}`) return null;
      const path = here("../src/likewise/report/colours.json");
      this.addWatchFile(path);
      const colours = JSON.parse(readFileSync(path, "utf-8")) as { light: string; dark: string }[];
      const rules = colours.map(({ light, dark }, i) => [
        `.source-${i} { --source: ${light}; --source-strong: ${strong(light, 0.42)}; }`,
        `[data-theme="dark"] .source-${i} { --source: ${dark}; ` +
          `--source-strong: ${strong(dark, 0.66)}; }`,
      ]);
      const [onPaper, inTheDark] = [0, 1].map((i) => rules.map((rule) => rule[i]).join("\n"));
      return `${onPaper}\n@media screen {\n${inTheDark}\n}\n`;
    },
  };
}

/** The same hue, strong enough for a thin line. */
function strong(colour: string, lightness: number): string {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const spread = most - least || 1;
  const sector =
    most === r ? (g - b) / spread : most === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  const hue = Math.round((sector * 60 + 360) % 360);
  const grey = spread < 0.08 || spread === 1;
  return `hsl(${hue} ${grey ? 15 : 60}% ${Math.round(lightness * 100)}%)`;
}

export const shared = {
  plugins: [vue(), coloursOfSources()],
  define: {
    "process.env.NODE_ENV": JSON.stringify("production"),
    __VUE_OPTIONS_API__: false, // nothing of it is used
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false,
  },
  resolve: {
    // The catalogue and the colours are the package's own: a word is translated once.
    alias: {
      "@report": here("../src/likewise/report"),
      "@catalogue": here("../src/likewise/catalogue"),
    },
  },
} satisfies UserConfig;
