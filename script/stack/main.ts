import { parseArgs } from "node:util";
import { readLayout } from "./env.ts";
import { freshSignInLink, localClient } from "./local-client.ts";
import { orExit } from "./or-exit.ts";
import { endProcess } from "./process-id.ts";
import { Stack } from "./stack.ts";
import { runningStack } from "./stack-state.ts";

/**
 * `script/start`: runs the embedded stack in the foreground until Ctrl-C; `--stop` ends one that runs elsewhere. With
 * `--logged` its output is kept in a file, where no sign-in link belongs.
 */
const { values: flags } = orExit(() =>
  parseArgs({ options: { stop: { type: "boolean" }, logged: { type: "boolean" } } }),
);
process.umask(0o077); // of every program of the stack: what they write is their owner's alone
const layout = orExit(readLayout);
const say = (line: string) => process.stdout.write(`${line}\n`);

if (flags.stop) {
  const running = runningStack(layout.stateFile);
  if (running) await endProcess(running.supervisor, 60_000);
  say(running ? "Hopwise has stopped." : `No stack runs in ${layout.data}.`);
} else {
  await runStack();
}

/** The stack goes on when the API dies just now: it is started again. */
async function signInLink(): Promise<string> {
  return freshSignInLink(await localClient(layout)).catch(
    () => "run node apps/api/dist/sign-in-link.js, which makes a link",
  );
}

async function runStack(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopping.abort());
  try {
    const stack = await Stack.start(layout, say, stopping.signal);
    say(`Hopwise is ready: ${layout.url}`);
    if (!flags.logged) say(`Sign in:          ${await signInLink()}`);
    say(`Logs:             ${layout.logs}`);
    await new Promise<void>((resolve) => {
      if (stopping.signal.aborted) resolve();
      stopping.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    say("Stopping");
    await stack.stop();
  } catch (error) {
    if (stopping.signal.aborted) return;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
