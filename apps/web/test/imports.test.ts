import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const src = resolve(import.meta.dirname, "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const statement = /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|import\("([^"]+)"\)/gm;

/** What the browser takes of the contract beside types: files that import no value, and bring no schema. */
const contractValues = ["@hopwise/contracts/jobs/terminal-states", "@hopwise/contracts/limits"];

/** What an import of the browser's code breaks of docs/ARCHITECTURE.md; null when it is allowed. */
function breachOf(file: string, specifier: string, isType: boolean): string | null {
  if (specifier.startsWith(".")) {
    const target = relative(src, resolve(dirname(join(src, file)), specifier));
    return target.startsWith("..") ? `leaves src: ${specifier}` : null;
  }
  if (specifier === "@hopwise/contracts") return isType ? null : "contracts are read for their types only";
  if (specifier === "@hopwise/client" || contractValues.includes(specifier)) return null;
  if (specifier.startsWith("@hopwise/")) return `no import of ours but contracts and client: ${specifier}`;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return name in manifest.dependencies ? null : `not a dependency: ${name}`;
}

function breachesOf(file: string, text: string): string[] {
  return [...text.matchAll(statement)].flatMap(([, type, from, bare, lazy]) => {
    const breach = breachOf(file, from ?? bare ?? lazy ?? "", type !== undefined);
    return breach === null ? [] : [`${file}: ${breach}`];
  });
}

test("the browser's code imports itself, its dependencies, the client and the contracts' types only", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => breachesOf(file, readFileSync(join(src, file), "utf8")))).toEqual([]);
});

test.each(contractValues)("what the browser takes of the contract brings no schema with it: %s", (specifier) => {
  const path = `../../../packages/contracts/src${specifier.slice("@hopwise/contracts".length)}.ts`;
  const text = readFileSync(join(import.meta.dirname, path), "utf8");
  expect([...text.matchAll(statement)].filter(([, type]) => type === undefined)).toEqual([]);
});

test("a planted import of the API, the engine, a contract's value, what needs Node or a stranger is seen", () => {
  const planted = [
    'import { app } from "../../../api/src/app.ts";',
    'import type { Trainer } from "@hopwise/gnn-core";',
    'import { jobSpec } from "@hopwise/contracts";',
    'import { download } from "@hopwise/client/node";',
    'import lodash from "lodash/fp";',
  ];
  expect(breachesOf("pages/X.tsx", planted.join("\n"))).toHaveLength(5);
});
