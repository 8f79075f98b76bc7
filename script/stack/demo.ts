import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { HopwiseClient } from "@hopwise/client";
import { datasetFiles } from "./demo/dataset-files.ts";
import { runDemo } from "./demo/run-demo.ts";
import { say } from "./demo/terminal.ts";
import { readLayout, type StackLayout } from "./env.ts";
import { freshSignInLink, localClient } from "./local-client.ts";
import { orExit } from "./or-exit.ts";
import { endProcess } from "./process-id.ts";
import { runningStack } from "./stack-state.ts";

/** `script/demo [--exit] [--dataset DIR]` */
const { values: flags } = orExit(() =>
  parseArgs({ options: { exit: { type: "boolean" }, dataset: { type: "string" } } }),
);
const layout = orExit(readLayout);
process.umask(0o077);
const scratch = mkdtempSync(join(tmpdir(), "hopwise-demo-"));

try {
  // Asked first: a wrong folder should not start anything.
  const files = flags.dataset === undefined ? await madeFiles() : datasetFiles(flags.dataset);
  await ensureStack(layout);
  const api = await localClient(layout);
  const outDir = join(layout.data, "demo");
  await (flags.dataset === undefined
    ? runDemo({ api, name: "Made citation graph", files, preset: "quick-sage", outDir })
    : runDemo({ api, name: basename(resolve(flags.dataset)), files, preset: null, outDir }));
  await farewell(api);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
  if (flags.exit) await stopStack(layout);
}

/** Uses the stack of this data folder, or starts one that goes on when the demo has ended. */
async function ensureStack({ stateFile, logs, url }: StackLayout): Promise<void> {
  if (!runningStack(stateFile)) {
    say("Starting Hopwise");
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    const log = openSync(join(logs, "supervisor.log"), "w", 0o600);
    const args = ["--import", "tsx", join(import.meta.dirname, "main.ts"), "--logged"];
    const supervisor = spawn(process.execPath, args, { detached: true, stdio: ["ignore", log, log] });
    supervisor.unref();
    closeSync(log);
    await untilReady(() => supervisor.exitCode !== null);
  }
  await untilReady(() => runningStack(stateFile) === null);
  say(`  ready at ${url}`);
}

async function untilReady(hasFailed: () => boolean): Promise<void> {
  while (!runningStack(layout.stateFile)?.isReady) {
    if (hasFailed()) throw new Error(readFileSync(join(layout.logs, "supervisor.log"), "utf8").trim());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function farewell(api: HopwiseClient): Promise<void> {
  say(`Sign in:                   ${await freshSignInLink(api)}`);
  if (!flags.exit) say("The stack goes on; stop it with script/start --stop");
}

async function stopStack({ stateFile }: StackLayout): Promise<void> {
  const running = runningStack(stateFile);
  if (running) await endProcess(running.supervisor, 60_000);
}

async function madeFiles(): Promise<string[]> {
  const { citationFiles } = await import("./demo/citation-files.ts");
  return citationFiles(scratch);
}
