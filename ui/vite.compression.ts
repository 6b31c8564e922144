// The built files once more, compressed as small as they get: the server sends these to whoever can
// unpack them, and spends no time on it.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { Plugin } from "vite";

const KINDS = new Set([".html", ".js", ".css", ".json", ".svg"]);
const LEAST_BYTES = 600; // smaller ones fit into a packet as they are

/** Writes `name.br` and `name.gz` beside each file of text, where that is smaller. */
export function compression(): Plugin {
  let folder = "";
  return {
    name: "compression",
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, encoding: "utf-8" })) {
        if (!KINDS.has(extname(entry))) continue;
        const path = join(folder, entry);
        const bytes = readFileSync(path);
        if (bytes.length < LEAST_BYTES) continue;
        const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY } = constants;
        const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY };
        const packed = { br: brotliCompressSync(bytes, { params }), gz: gzipSync(bytes, { level: 9 }) };
        for (const [ending, smaller] of Object.entries(packed))
          if (smaller.length < bytes.length) writeFileSync(`${path}.${ending}`, smaller);
      }
    },
  };
}
