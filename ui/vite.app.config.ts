// The pages that a server shows: files of hashed names, each loaded when its page is opened.
import { defineConfig } from "vite";

import { licences } from "./vite.licences";
import { here, shared } from "./vite.shared";

export default defineConfig({
  ...shared,
  plugins: [...shared.plugins, licences()],
  build: {
    outDir: here("../src/likewise/server/static"),
    emptyOutDir: true,
    target: "es2022",
    cssTarget: "chrome111",
    assetsInlineLimit: 0, // the server's policy allows no inlined script or style
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
});
