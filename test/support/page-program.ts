import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Folders of programs lie in here, inside the repository: the packages are found as in a program of its own. */
export const programsDir = join(root, "node_modules", ".cache");

export interface PageProgramOptions {
  /** Changes what belongs to the reader's machine, such as an address. */
  readonly edit?: (program: string) => string;
  /** Where it runs. */
  readonly cwd?: string;
}

/**
 * Compiles and runs a page's blocks of TypeScript, one after the other.
 *
 * @param dir a folder in `programsDir` for the program
 * @returns what it printed
 */
export async function outputOf(
  page: string,
  dir: string,
  { edit = (program) => program, cwd = root }: PageProgramOptions = {},
): Promise<string> {
  const text = await readFile(join(root, page), "utf8");
  const program = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block]) => block).join("\n");
  await writeFile(join(dir, "program.mts"), edit(program));
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
  const tsx = import.meta.resolve("tsx");
  return (await run(process.execPath, ["--import", tsx, join(dir, "program.mts")], { cwd })).stdout;
}
