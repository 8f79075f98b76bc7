import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const hopwiseProgram = fileURLToPath(new URL("../../packages/cli/bin/hopwise.mjs", import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command line as a process of its own, with a file of settings in `dir`. */
export class Hopwise {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  get configFile(): string {
    return join(this.#dir, "config.json");
  }

  run(args: readonly string[], { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {}) {
    return new Promise<CliRun>((resolve, reject) => {
      const { PATH = "" } = process.env;
      const child = spawn(process.execPath, [hopwiseProgram, ...args], {
        cwd: this.#dir,
        env: { PATH, HOPWISE_CONFIG: this.configFile, ...env },
      });
      const text = { out: "", err: "" };
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text.out += chunk;
      });
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        text.err += chunk;
      });
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, ...text }));
      child.stdin.end(input);
    });
  }

  /** What a command that succeeds answers with `--json`. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { code, out, err } = await this.run([...args, "--json"]);
    if (code !== 0) throw new Error(`hopwise ${args.join(" ")} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }
}
