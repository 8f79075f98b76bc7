import { PassThrough, Readable } from "node:stream";
import type { CliEnv } from "../../src/env.ts";
import { runProgram } from "../../src/program.ts";

/** Runs one command line in this process. */
export async function runCli(args: readonly string[], env: CliEnv) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { env, stdin: Readable.from([]), stdout, stderr, signal: new AbortController().signal };
  const code = await runProgram(args, streams);
  return { code, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}
