// The report as one file: one script and one style sheet of fixed names, which
// src/likewise/report/page.py puts into each report. Nothing in them may ask for another file.
import { defineConfig } from "vite";

import { licences } from "./vite.licences";
import { here, shared } from "./vite.shared";

export default defineConfig({
  ...shared,
  plugins: [...shared.plugins, licences({ inScript: true })],
  build: {
    outDir: here("../src/likewise/report/static"),
    emptyOutDir: true,
    target: "es2022",
    cssTarget: "chrome111",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    reportCompressedSize: false,
    lib: {
      entry: here("src/report/main.ts"),
      formats: ["iife"],
      name: "likewise",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
});
