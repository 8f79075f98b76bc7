import type { Plugin, Rolldown } from "vite";

/** A page that links from outside lead to, such as those of notices. */
export interface OpenedPage {
  /** Its addresses: source of a regular expression over the path, whose first group is the id of what it shows */
  readonly path: string;
  /** End of the module's path, with the file's name */
  readonly module: string;
  /** What it asks for by that id, as its variable `id`, before all else: the text that the page itself would send */
  readonly query: string;
}

/**
 * Has the browser fetch the code of the page that an address names, and what it shows, beside the entry, which else
 * would ask for both only once it runs: one way there and back less, and no wait for the line that the entry fills.
 * The content security policy allows no inline script, so it is a file.
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
      const files = pages.map(({ module, ...page }) => ({ ...page, files: filesOf(bundle, module, known) }));
      const ref = this.emitFile({ type: "asset", name: "page-code.js", source: scriptOf(files) });
      const script = `<script async fetchpriority="high" src="/${this.getFileName(ref)}"></script>`;
      const charset = `<meta charset="utf-8" />`;
      html.source = known.replace(charset, `${charset}\n    ${script}`);
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

interface NamedPage extends Omit<OpenedPage, "module"> {
  readonly files: readonly string[];
}

/** `takeEarlyAnswer` of src/services/early-answer.ts is where the page gets the answer. */
export function scriptOf(pages: readonly NamedPage[]): string {
  return `for (const { path, files, query } of ${JSON.stringify(pages)}) {
  const [, id] = new RegExp(path).exec(location.pathname) ?? [];
  if (id === undefined) continue;
  const body = JSON.stringify({ query, variables: { id } });
  const headers = { accept: "application/json", "content-type": "application/json" };
  const answer = fetch("/graphql", { method: "POST", headers, body })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  globalThis.hopwiseEarlyCall = { body, answer };
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
