// The page of components: opened from its folder, so that scripts are of the old kind, which need no
// server. Nothing of it comes into a package.
import { readFileSync } from "node:fs";

import { defineConfig, type Plugin } from "vite";

import { here, shared } from "./vite.shared";

const FOLDER = "../build/gallery";

function page(): Plugin {
  return {
    name: "page-of-components",
    generateBundle() {
      const source = readFileSync(here("src/gallery/index.html"), "utf-8");
      this.emitFile({ type: "asset", fileName: "index.html", source });
    },
  };
}

export default defineConfig({
  ...shared,
  plugins: [...shared.plugins, page()],
  resolve: { alias: { ...shared.resolve.alias, "@gallery/view.json": here(`${FOLDER}/view.json`) } },
  build: {
    outDir: here(FOLDER),
    emptyOutDir: false, // the view is there already
    target: "es2022",
    cssTarget: "chrome111",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    reportCompressedSize: false,
    lib: {
      entry: here("src/gallery/main.ts"),
      formats: ["iife"],
      name: "gallery",
      fileName: () => "gallery.js",
      cssFileName: "gallery",
    },
  },
});
