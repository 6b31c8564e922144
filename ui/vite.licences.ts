// What others wrote and the built pages contain, with its licences: asked of the bundler itself, so
// that the list is true for every build. A page that carries a package without its notice would
// break the package's licence.
import { existsSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { Plugin } from "vite";

interface Bundled {
  name: string;
  version: string;
  licence: string;
  text: string;
}

// Small pieces that the tools put in by themselves, and the package they come from.
const VIRTUAL: [RegExp, string][] = [
  [/^\0(\/)?plugin-vue:/, "@vitejs/plugin-vue"],
  [/^\0vite\//, "vite"],
  [/^\0rolldown\//, "rolldown"],
];
const OURS = /^\0virtual:colours\.css$/;
const INSIDE_A_PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The folder of the package that a module comes from; null for what is ours. */
function packageOf(id: string, root: string): string | null {
  const folder = INSIDE_A_PACKAGE.exec(id.replaceAll("\\", "/"))?.[1];
  if (folder && !id.startsWith("\0")) return folder;
  if (!id.startsWith("\0") || OURS.test(id)) return null;
  const name = VIRTUAL.find(([pattern]) => pattern.test(id))?.[1];
  if (!name) throw new Error(`nobody knows whose licence ${JSON.stringify(id)} has`);
  return packageFolder(name, root);
}

/** Where npm has put a package, which may be inside the package that needs it. */
function packageFolder(name: string, root: string): string {
  const near = join(root, "node_modules", name);
  if (existsSync(near)) return realpathSync(near);
  const vite = realpathSync(join(root, "node_modules", "vite"));
  return dirname(createRequire(join(vite, "package.json")).resolve(`${name}/package.json`));
}

function described(folder: string): Bundled {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf-8"),
  ) as { name: string; version: string; license?: string };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (!license || !file) throw new Error(`${name} has no licence that could be shipped with it`);
  // The tools' files go on with what they contain themselves; none of that is in a page.
  const whole = readFileSync(join(folder, file), "utf-8").replaceAll("\r\n", "\n");
  const text = whole.split(/\n(?:# Licenses of bundled|end of terms and conditions)/)[0]!;
  return { name, version, licence: license, text: text.trim() + "\n" };
}

/** Writes `licences.json`; `inScript`: the notices also go into the script, which travels alone. */
export function licences({ inScript = false } = {}): Plugin {
  let root = "";
  return {
    name: "licences",
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
          const folder = packageOf(id, root);
          if (folder) folders.add(folder);
        }
      }
      const bundled = [...folders].map(described).sort((a, b) => (a.name < b.name ? -1 : 1));
      const notice = inScript ? noticeOf(bundled) : "/*! Licences: /licences.json */\n";
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk" && chunk.isEntry) chunk.code = notice + chunk.code;
      }
      this.emitFile({
        type: "asset",
        fileName: "licences.json",
        source: JSON.stringify(bundled, null, 1) + "\n",
      });
    },
  };
}

/** Each text once, under the packages that have it. */
function noticeOf(bundled: Bundled[]): string {
  const texts = new Map<string, string[]>();
  for (const { name, version, text } of bundled) {
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
  return `/*! This page contains:\n\n${parts.join("\n").replaceAll("*/", "* /")}*/\n`;
}
