import { Command, CommanderError } from "commander";
import { exitCodes, outcomeOf, toldError } from "./cli-error.ts";
import { addCancel } from "./commands/cancel.ts";
import { addDatasets } from "./commands/datasets.ts";
import { addDownload } from "./commands/download.ts";
import { addInfer } from "./commands/infer.ts";
import { addJobs } from "./commands/jobs.ts";
import { addLogin } from "./commands/login.ts";
import { addLogs } from "./commands/logs.ts";
import { addModels } from "./commands/models.ts";
import { addSweeps } from "./commands/sweeps.ts";
import { addTrain } from "./commands/train.ts";
import { addUpload } from "./commands/upload.ts";
import { addWatch } from "./commands/watch.ts";
import { addWorkers } from "./commands/workers.ts";
import { openClient } from "./config/open-client.ts";
import type { CliContext, CliStreams, Run } from "./context.ts";
import { Output } from "./output/output.ts";

interface GlobalOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly url?: string;
}

/** Runs one command line. @returns the exit code, one of `exitCodes` */
export async function runProgram(args: readonly string[], streams: CliStreams): Promise<number> {
  const program = programFor(streams);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const told = toldError(error);
    const at = told.pointer === undefined ? "" : ` (at ${told.pointer})`;
    const isJson = args.includes("--json");
    streams.stderr.write(
      isJson ? `${JSON.stringify({ error: told })}\n` : `hopwise: ${told.code}: ${told.message}${at}\n`,
    );
    return exitCodes[outcomeOf(error)];
  }
}

function programFor(streams: CliStreams): Command {
  const program = new Command("hopwise")
    .description("Trains graph neural networks on a Hopwise service")
    .option("--json", "results as JSON")
    .option("--profile <name>", "which service and key, as login stored them")
    .option("--url <address>", "address of the service, in place of the profile's")
    .exitOverride()
    .showHelpAfterError("Add --help to see what there is.")
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
    });
  const run: Run =
    (work) =>
    async (...args) => {
      await work(contextFor(program.opts<GlobalOptions>(), streams), ...args);
    };
  const commands = [
    addLogin,
    addUpload,
    addDatasets,
    addTrain,
    addWatch,
    addJobs,
    addLogs,
    addCancel,
    addModels,
    addSweeps,
    addInfer,
    addDownload,
    addWorkers,
  ];
  for (const add of commands) add(program, run);
  return program;
}

function contextFor({ json = false, profile, url }: GlobalOptions, streams: CliStreams): CliContext {
  const name = profile ?? streams.env.profile;
  return {
    streams,
    output: new Output(streams, json),
    profile: name,
    url: url ?? streams.env.url,
    client: () => openClient(streams.env, name, url ?? streams.env.url),
  };
}
