import { resolve } from "node:path";
import { restRoutes } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { helpFiles } from "../../script/help-pages.ts";

const files = helpFiles(resolve(import.meta.dirname, "../../../.."));
const pages = new Map(
  files.flatMap(({ fileName, source }) =>
    typeof source === "string" && fileName.endsWith(".html") ? [[`/${fileName}`, source]] : [],
  ),
);

test("every link and picture of the help leads to something that is served, and every anchor to its heading", () => {
  expect(pages.size).toBeGreaterThan(15);
  const names = new Set([...files.map(({ fileName }) => `/${fileName}`), "/", "/favicon.svg", "/help.css"]);
  const broken = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/(?:href|src)="([^"]+)"/g)].flatMap(([, address = ""]) => {
      if (/^https?:/.test(address) || address === "/color-scheme.js") return [];
      const [path = "", anchor] = address.split("#");
      const target = path === "" ? page : path;
      const isThere = names.has(target) && (anchor === undefined || pages.get(target)?.includes(`id="${anchor}"`));
      return isThere ? [] : [`${page}: ${address}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("each error code has a place that a problem can link to", () => {
  const errors = pages.get("/help/errors.html") ?? "";
  expect(errors.match(/<td id="[A-Z_]+"><code>/g)?.length).toBeGreaterThan(60);
  expect(errors).toContain('<td id="JOB_SPEC_INVALID">');
});

test("no page carries a script of its own or a style on an element, which the service's policy forbids or discourages", () => {
  for (const html of pages.values()) {
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/ on[a-z]+="/);
  }
});

test("llms.txt leads to every guide as Markdown, each in a sentence, and to addresses that the API has", () => {
  const text = String(files.find(({ fileName }) => fileName === "llms.txt")?.source);
  expect(text).toMatch(/^# Hopwise\n\n> /);
  const lines = [...text.matchAll(/^- \[.+?\]\(([^)]+)\)(.*)$/gm)];
  const served = new Set([
    ...files.map(({ fileName }) => `/${fileName}`),
    ...Object.values(restRoutes).map(({ path }) => path),
  ]);
  expect(lines.filter(([, address = ""]) => !served.has(address))).toEqual([]);
  const guides = files.map(({ fileName }) => `/${fileName}`).filter((name) => /help\/.*\.md$/.test(name));
  const linked = lines.map(([, address = ""]) => address);
  expect(guides.filter((name) => !linked.includes(name))).toEqual(["/help/changelog.md"]);
  const said = lines.filter(
    ([, address = "", sentence = ""]) => address.endsWith(".md") && /^: .{20,}[.]$/.test(sentence),
  );
  expect(said.length).toBeGreaterThanOrEqual(guides.length - 2);
});
