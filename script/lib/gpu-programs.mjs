// node gpu-programs.mjs DIR [ROOT]: compiles the programs of script/gpu-check into DIR, which must lie below folders
// with the packages that they load, and notes the commit. With ROOT they name files below it instead of this checkout.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileProgram } from "./compile-program.mjs";

const root = resolve(import.meta.dirname, "../..");
const [outDir, movedRoot = root] = process.argv.slice(2);
const folder = join(root, "benchmarks/gpu");
const suites = join(folder, "programs/suite-runner.ts");

mkdirSync(outDir, { recursive: true });
const names = ["conformance", "losses", "steps", "graph", "epoch", "two-ranks", "several-devices", "large-epoch"];
const started = [...names, "draw-part", "light-gcn", "table2"].map((name) => `programs/${name}.ts`);
for (const file of ["check.ts", "write-table.ts", ...started]) await compileInto(join(folder, file), basename(file));
await compileInto(join(root, "benchmarks/accuracy/ours.ts"), "accuracy.ts");
const commit = execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"], {
  cwd: root,
  encoding: "utf8",
});
writeFileSync(join(outDir, "commit"), commit);

async function compileInto(file, name) {
  const compiled = await compileProgram(pathToFileURL(file), { alias: { vitest: suites } });
  const text = readFileSync(compiled, "utf8").replaceAll(`${root}/`, `${movedRoot}/`);
  writeFileSync(join(outDir, name.replace(/\.ts$/, ".mjs")), text);
}
