// The pages that a server shows: files of hashed names, each loaded when its page is opened.
import { defineConfig } from "vite";

import { compression } from "./vite.compression";
import { licences } from "./vite.licences";
import { preload } from "./vite.preload";
import { here, shared } from "./vite.shared";

const FIRST = /\/src\/(app\/start|app\/words\/(index|merged)|app\/api\/early|first_language|languages)\.ts|vite\/preload-helper/;
const SHARED =
  /\/node_modules\/|plugin-vue:export-helper|\/src\/(words|look)\.ts|\/src\/app\/(parts|use|api)\/|\/src\/app\/(main|router)\.ts|\/src\/app\/\w+\.vue/;
// What lists and forms are made of, and neither the log-in nor a report.
const LISTS =
  /\/src\/app\/(parts\/(LongTable|rows|DropFiles|file_drop|Pagination|SearchField|SelectAll|NewPassword|SecretText|EmptyState|StateBadge|ShareFigure|Skeleton)\.|api\/upload\.|use\/(upload|handed_files|limits|selection)\.)/;

export default defineConfig({
  ...shared,
  plugins: [...shared.plugins, licences(), preload(), compression()],
  build: {
    outDir: here("../src/likewise/server/static"),
    emptyOutDir: true,
    target: "es2022",
    cssTarget: "chrome111",
    assetsInlineLimit: 0, // the server's policy allows no inlined script or style
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The first script waits for nothing else: it asks for the words of one language.
            { name: "start", test: FIRST, priority: 2 },
            // What all pages share travels as one file, not as twenty that wait for each other.
            { name: "page", test: (id) => SHARED.test(id) && !LISTS.test(id), priority: 1 },
            { name: "lists", test: LISTS, priority: 0 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
});
