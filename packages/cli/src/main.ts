import { envOf } from "./env.ts";
import { runProgram } from "./program.ts";

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
// A reader that has had enough, such as head, is no error.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await runProgram(process.argv.slice(2), {
  env: envOf(process.env),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
});
