// The page names everything that it is sure to need, so that nothing is asked for one after another.
import type { HtmlTagDescriptor, Plugin } from "vite";

const PAGE = /\/src\/app\/main\.ts$/;

/** Links in index.html to the page's script, to what that imports, and to their styles. */
export function preload(): Plugin {
  return {
    name: "preload",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (!bundle) return html; // nothing is built while somebody works on the pages
        const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
        const page = chunks.find((each) => each.moduleIds.some((id) => PAGE.test(id)));
        if (!page) throw new Error("the script of the page is not there");
        const named = [page, ...page.imports.map((name) => chunks.find((each) => each.fileName === name)!)];
        const styles = new Set(named.flatMap((each) => [...(each.viteMetadata?.importedCss ?? [])]));
        const links: HtmlTagDescriptor[] = [
          ...named.map((each) => link("modulepreload", each.fileName)),
          ...[...styles].map((name) => link("stylesheet", name)),
        ].filter(({ attrs }) => !html.includes(`href="${String(attrs?.href)}"`));
        return { html, tags: links };
      },
    },
  };
}

function link(rel: string, name: string): HtmlTagDescriptor {
  return { tag: "link", attrs: { rel, crossorigin: true, href: `/${name}` }, injectTo: "head" };
}
