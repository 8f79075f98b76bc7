import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** A path is meant from the root, or from where packages, the engine or the apps are. */
const bases = ["", "packages", "packages/gnn-core/src", "packages/gnn-core", "apps"];
const exists = (path: string) => bases.some((base) => existsSync(join(root, base, path)));

/** Paths in backticks: with a folder, of plain characters, with an ending or a closing slash. */
function pathsIn(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "");
  return [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/(?:[\w-]+(?:\.[\w-]+)*\.(?:ts|md|sh|json|prisma|cc|h))?)`/g)].map(
    ([, path = ""]) => path,
  );
}

const localLinks = (page: string) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^https?:/.test(target));

test.each(pages.filter((page) => localLinks(page).length > 0))("%s links to files and headings that exist", (page) => {
  for (const target of localLinks(page)) {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    expect(existsSync(join(root, file)), target).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(file), target).toContain(anchor);
  }
});

test("coverage and README name files and folders that exist", () => {
  for (const page of ["docs/coverage.md", "README.md", "CONTRIBUTING.md"]) {
    const missing = pathsIn(read(page)).filter((path) => !exists(path) && !path.startsWith("<"));
    expect(missing, page).toEqual([]);
  }
});

test("CONTRIBUTING answers where to look first with files that exist, a line for each question", () => {
  const table = read("CONTRIBUTING.md").split("| question | place |")[1]!.split("\n\n")[0]!;
  const rows = table.split("\n").slice(2);
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const row of rows) {
    const paths = pathsIn(row);
    expect(paths, row).not.toEqual([]);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  }
});

test("the changelog has a line of at most 100 characters for each change", () => {
  const lines = read("CHANGELOG.md").split("\n");
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines.filter((line) => /^\s+\S/.test(line))).toEqual([]);
});

test("the table of steps in ARCHITECTURE is what the steps declare", async () => {
  const steps = (await loadRegistry()).list("step").map((step) => {
    const inputs = step.inputs.map((kind) => `\`${kind}\``).join(", ");
    return [`\`${step.name}\``, step.ranks, inputs, `\`${step.output}\``, step.reusable ? "yes" : "no"];
  });
  const [, table = ""] = read("docs/ARCHITECTURE.md").split("| step ");
  const rows = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| (`.*) \|$/gm)].map(([, row = ""]) =>
    row.trim().split(/ *\| */),
  );
  const byName = (table: readonly string[][]) => Object.fromEntries(table.map(([name, ...rest]) => [name, rest]));
  expect(byName(rows)).toEqual(byName(steps));
});

test("the glossary's words in code are exported by the engine's library", () => {
  const exported = read("docs/api/gnn-core.api.md").split("## Declarations")[0] ?? "";
  const words = [...read("docs/glossary.md").matchAll(/^\| `([A-Z]\w+)`/gm)].map(([, word = ""]) => word);
  expect(words.length).toBeGreaterThan(8);
  expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(exported))).toEqual([]);
});

test("the operating guide lists the variables that are read, and who reads them", () => {
  const readers = { API: "apps/api/src/env.ts", worker: "apps/gpu-worker/src/env.ts" };
  const found = new Map<string, string[]>();
  for (const [who, file] of Object.entries(readers)) {
    for (const [, name = ""] of read(file).matchAll(/^ {2}((?:HOPWISE_|DATABASE_|REDIS_|ARTIFACTS_)\w+): /gm)) {
      found.set(name, [...(found.get(name) ?? []), who]);
    }
  }
  const rows = [...read("docs/guides/operating.md").matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm)];
  const listed = new Map(
    rows.map(([, name = "", who = ""]) => [name, who === "all" ? ["API", "worker"] : who.split(", ")]),
  );
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(found));
});

test("every npm script that README and CONTRIBUTING name exists, and so does the program behind it", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = ["README.md", "CONTRIBUTING.md"].flatMap((page) =>
    [...read(page).matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? ""),
  );
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  const programs = Object.values(scripts).map((command) => command.split(" ")[0] ?? "");
  expect(programs.filter((program) => program.startsWith("script/") && !exists(program))).toEqual([]);
});
