/** Puts the tables of all results into this folder's README: write-table.mjs, started by `script/gpu-check table`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResults } from "./results.ts";
import { deviceTable } from "./table.ts";

const heading = "## Measured\n";
const readme = join(import.meta.dirname, "README.md");
const resultsDir = join(import.meta.dirname, "results");
const files = readdirSync(resultsDir).filter((file) => file.endsWith(".json"));
const tables = files.map((file) =>
  deviceTable(JSON.parse(readFileSync(join(resultsDir, file), "utf8")) as CheckResults),
);
const [before = ""] = readFileSync(readme, "utf8").split(heading);
writeFileSync(readme, `${before}${heading}\n${tables.join("\n\n") || "Nothing has run on a GPU yet."}\n`);
