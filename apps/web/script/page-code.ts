import type { Plugin, Rolldown } from "vite";

/** A page that links from outside lead to, such as those of notices. */
export interface OpenedPage {
  /** Its addresses, as the source of a regular expression over the path */
  readonly path: string;
  /** End of the module's path, with the file's name */
  readonly module: string;
}

/**
 * Has the browser fetch the code of the page that an address names beside the entry, which else would ask for it only
 * once it runs: one way there and back less. The content security policy allows no inline script, so it is a file.
 */
export function pageCode(pages: readonly OpenedPage[]): Plugin {
  return {
    name: "page-code",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const html = bundle["index.html"];
      if (html?.type !== "asset") throw new Error("The build has no index.html to name the code of pages in.");
      const known = String(html.source);
      const files = pages.map(({ path, module }) => ({ path, files: filesOf(bundle, module, known) }));
      const ref = this.emitFile({ type: "asset", name: "page-code.js", source: scriptOf(files) });
      html.source = known.replace("</title>", `</title>\n    <script async src="/${this.getFileName(ref)}"></script>`);
    },
  };
}

/** A page's chunk with all that it imports at once, and its styles; without what the HTML names. */
function filesOf(bundle: Rolldown.OutputBundle, module: string, html: string): string[] {
  const page = Object.values(bundle).find((one) => one.type === "chunk" && one.facadeModuleId?.endsWith(module));
  if (page?.type !== "chunk") throw new Error(`The build has no chunk of ${module}.`);
  const found = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (found.has(name) || html.includes(name) || chunk?.type !== "chunk") return;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const imported of chunk.imports) add(imported);
  };
  add(page.fileName);
  return [...found].filter((name) => !html.includes(name));
}

function scriptOf(pages: readonly { readonly path: string; readonly files: readonly string[] }[]): string {
  return `for (const { path, files } of ${JSON.stringify(pages)}) {
  if (!new RegExp(path).test(location.pathname)) continue;
  for (const file of files) {
    const isStyle = file.endsWith(".css");
    const link = Object.assign(document.createElement("link"), { rel: isStyle ? "preload" : "modulepreload" });
    if (isStyle) link.as = "style";
    link.crossOrigin = "";
    link.href = \`/\${file}\`;
    document.head.append(link);
  }
}
`;
}
