import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readParquet } from "../support/parquet.ts";
import { Stack } from "../support/stack.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = mkdtempSync(join(tmpdir(), "hw-readme-"));
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(async () => {
  await stack?.stop();
  rmSync(here, { recursive: true, force: true });
});

/** The commands of the section's only shell block, as a reader would paste them. */
function tour(): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, section = ""] = readme.split("\n## A tour with curl\n");
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? "";
}

test("the README's tour, pasted into a shell, ends with Parquet and CSV files of the reader's own ids", async () => {
  symlinkSync(stack.dir, join(here, ".hopwise"));
  symlinkSync(join(root, "examples"), join(here, "examples"));
  const commands = tour();
  expect(commands).toContain("API=http://127.0.0.1:4680 ");
  const script = commands.replace("http://127.0.0.1:4680", stack.url);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: here,
    maxBuffer: 1e8,
  });
  // The line of `pick metrics`; events begin with other words.
  const metrics = JSON.parse(/^\{"[^\n]*"test\/accuracy"[^\n]*\}$/m.exec(stdout)?.[0] ?? "{}") as Record<
    string,
    number
  >;
  expect(metrics["test/accuracy"]).toBeGreaterThan(0.3);

  const rows = await readParquet(join(here, "embeddings.parquet"));
  const ids = new Set(rows.map(({ id }) => id));
  expect(rows.length).toBe(150);
  expect(ids.size).toBe(150);
  for (const id of ["007", "7", "1e5", "000413E7", "Graphs, sampled", "📄1"]) expect(ids).toContain(id);
  const lines = readFileSync(join(here, "embeddings.csv"), "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(1 + 150);
  expect(lines.filter((line) => line.startsWith("000413E7,"))).toHaveLength(1);
});
