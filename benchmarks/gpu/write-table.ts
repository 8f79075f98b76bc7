/** Writes each result as a table beside it, results/<device>.md: what `script/gpu-check table` starts. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResults } from "./results.ts";
import { deviceTable } from "./table.ts";

const resultsDir = join(import.meta.dirname, "results");
for (const file of readdirSync(resultsDir).filter((name) => name.endsWith(".json"))) {
  const path = join(resultsDir, file);
  const table = deviceTable(JSON.parse(readFileSync(path, "utf8")) as CheckResults);
  writeFileSync(path.replace(/\.json$/, ".md"), `${table.replace(/^### /, "# ")}\n`);
}
