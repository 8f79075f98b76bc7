import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Marked, type Tokens } from "marked";
import type { Plugin } from "vite";
import { escapeHtml, helpPage } from "./help-page.ts";
import { llmsText } from "./llms-text.ts";

/** A Markdown file of the repository and the name of the page that is made of it. */
interface Source {
  readonly path: string;
  readonly name: string;
}

export interface HelpFile {
  readonly fileName: string;
  readonly source: string | Uint8Array;
}

/** Writes the guides, the error codes, the glossary and the changelog as pages below /help, which need no script. */
export function helpPages(root: string): Plugin {
  return {
    name: "help-pages",
    apply: "build",
    generateBundle() {
      for (const file of helpFiles(root)) this.emitFile({ type: "asset", ...file });
    },
  };
}

/** The pages, the pictures that they show, and for language models the same as Markdown with a list, `llms.txt`. */
export function helpFiles(root: string): HelpFile[] {
  const sources = sourcesIn(root);
  const read = sources.map((source) => ({ ...source, text: readFileSync(source.path, "utf8") }));
  const links = read.map(({ name, text }) => ({ name, title: titleOf(text) }));
  const images = new Set<string>();
  const pages = read.map(({ path, name, text }) => {
    const body = rendered(text, dirname(path), sources, images);
    return { fileName: `help/${name}.html`, source: helpPage({ name, title: titleOf(text), body, links }) };
  });
  const plain = read.map(({ name, text }) => ({ fileName: `help/${name}.md`, source: text }));
  const list = { fileName: "llms.txt", source: llmsText(read) };
  return [
    ...pages,
    ...plain,
    list,
    ...[...images].map((path) => ({ fileName: imageName(path), source: readFileSync(path) })),
  ];
}

/** What a newcomer reads first comes first; the rest by name. */
function sourcesIn(root: string): Source[] {
  const guides = readdirSync(join(root, "docs/guides"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({ path: join(root, "docs/guides", file), name: basename(file, ".md") }));
  const first = ({ name }: Source) => (name === "getting-started" ? 0 : 1);
  return [
    ...guides.toSorted((a, b) => first(a) - first(b) || (a.name < b.name ? -1 : 1)),
    { path: join(root, "docs/glossary.md"), name: "glossary" },
    { path: join(root, "docs/errors.md"), name: "errors" },
    { path: join(root, "CHANGELOG.md"), name: "changelog" },
  ];
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? "Help";
}

function imageName(path: string): string {
  return `help/images/${basename(path)}`;
}

/** @param images takes the paths of the pictures that the page shows */
function rendered(markdown: string, folder: string, sources: readonly Source[], images: Set<string>): string {
  const marked = new Marked({
    renderer: {
      heading(token: Tokens.Heading) {
        const text = this.parser.parseInline(token.tokens);
        return `<h${token.depth} id="${slugOf(token.text)}">${text}</h${token.depth}>\n`;
      },
      link(token: Tokens.Link) {
        const text = this.parser.parseInline(token.tokens);
        const href = servedAt(token.href, folder, sources);
        return href === null ? text : `<a href="${escapeHtml(href)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const path = resolve(folder, href);
        images.add(path);
        return `<img src="/${imageName(path)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  // Boxes that scroll are reached by the keyboard; each error code can be linked to.
  return html
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(/<td>(<code>([A-Z][A-Z_]+)<\/code>)<\/td>/g, '<td id="$2">$1</td>');
}

/** Where a link of a page leads here; null: to a file that is not served. */
function servedAt(href: string, folder: string, sources: readonly Source[]): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const target = resolve(folder, file);
  const source = sources.find(({ path }) => relative(path, target) === "");
  return source ? `/help/${source.name}.html${anchor === undefined ? "" : `#${anchor}`}` : null;
}

/** As code hosts name the headings of a page, so that links between guides hold in both places. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
