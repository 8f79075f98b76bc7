import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Ended {
  readonly code: unknown;
  readonly said: string;
}

function endOf(program: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const path = fileURLToPath(new URL(`../dist/${program}.js`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [path], { env }, (error, _, said) => resolve({ code: error?.code, said }));
  });
}

// A supervisor shows the last line, and must not wait for a worker that cannot come up.
test.each(["main", "serve-main"])(
  "%s ends at once with what is wrong in its environment, and with nothing else",
  async (program) => {
    const { code, said } = await endOf(program, { PATH: process.env["PATH"], HOPWISE_RANK_ADDRESS: "127.0.0.1" });
    expect(code).toBe(78);
    expect(said.trimEnd().split("\n")).toEqual([
      "The environment of the worker is not valid:",
      expect.stringMatching(/^ {2}HOPWISE_RANK_ADDRESS: 127\.0\.0\.1 means each host itself/),
    ]);
  },
);
