import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Inside the repository, so that the package is found as it would be in a program of its own. */
const scratch = join(root, "node_modules", ".cache");
let dir: string;
beforeAll(async () => {
  await mkdir(scratch, { recursive: true });
  dir = await mkdtemp(join(scratch, "hopwise-guide-"));
});
afterAll(() => rm(dir, { recursive: true }));

/** The page's blocks of TypeScript, one after the other, compiled and run. */
async function outputOf(page: string): Promise<string> {
  const text = await readFile(join(root, page), "utf8");
  const program = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block]) => block).join("\n");
  await writeFile(join(dir, "program.mts"), program);
  await writeFile(
    join(dir, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        noEmit: true,
        composite: false,
        declarationMap: false,
        rewriteRelativeImportExtensions: false,
      },
      files: ["program.mts"],
    }),
  );
  await run(join(root, "node_modules/.bin/tsc"), ["-p", dir]).catch((error: { stdout: string }) => {
    throw new Error(`${page} does not compile:\n${error.stdout}`);
  });
  return (await run(process.execPath, ["--import", "tsx", join(dir, "program.mts")])).stdout;
}

test("the sample of the package's README learns to tell the circles apart", async () => {
  const output = await outputOf("packages/gnn-core/README.md");
  const [, accuracy, columns] = /test accuracy ([\d.]+), (\d+) columns/.exec(output) ?? [];
  expect(Number(accuracy)).toBeGreaterThan(0.9);
  expect(columns).toBe("16");
});

test("the program of the library guide runs as the page says", async () => {
  const output = await outputOf("docs/guides/library.md");
  expect(output).toContain("the same bits: true");
  expect(output).toContain("CANCELLED");
});
