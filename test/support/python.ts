import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const clientForPython = fileURLToPath(new URL("../../packages/client-python/", import.meta.url));

/** Python 3.10 or newer, where there is one; tests that need it are skipped elsewhere, and say so. */
export const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"], { stdio: "ignore" }).status === 0;

/** Runs Python with our client, and leaves nothing compiled behind. @returns what it printed */
export async function python(
  args: readonly string[],
  { env = {}, cwd = clientForPython }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { PATH = "", HOME = "" } = process.env;
  return promisify(execFile)("python3", args, {
    cwd,
    env: { PATH, HOME, PYTHONPATH: clientForPython, PYTHONDONTWRITEBYTECODE: "1", ...env },
    maxBuffer: 1e8,
    timeout: 300_000,
  });
}

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
}

/** Runs the cells of code of a notebook, one after the other in one process, as Jupyter would. */
export async function runNotebook(path: string, options: Parameters<typeof python>[1]) {
  const { cells } = JSON.parse(await readFile(path, "utf8")) as Notebook;
  const code = cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => source.join(""));
  return python(["-c", code.join("\n\n")], options);
}
