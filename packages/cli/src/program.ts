import { Command, CommanderError } from "commander";
import { exitCodes, outcomeOf, toldError } from "./cli-error.ts";
import { addCancel } from "./commands/cancel.ts";
import { addCompletion } from "./commands/completion.ts";
import { addCredentials } from "./commands/credentials.ts";
import { addDatasets } from "./commands/datasets.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addDownload } from "./commands/download.ts";
import { addEndTraining } from "./commands/end-training.ts";
import { addExplain } from "./commands/explain.ts";
import { addImport } from "./commands/import.ts";
import { addInfer } from "./commands/infer.ts";
import { addJobs } from "./commands/jobs.ts";
import { addLogin } from "./commands/login.ts";
import { addLogs } from "./commands/logs.ts";
import { addMcp } from "./commands/mcp.ts";
import { addModels } from "./commands/models.ts";
import { addNeighbors } from "./commands/neighbors.ts";
import { addPredict } from "./commands/predict.ts";
import { addProfiles } from "./commands/profiles.ts";
import { addSchedules } from "./commands/schedules.ts";
import { addStart } from "./commands/start.ts";
import { addSweeps } from "./commands/sweeps.ts";
import { addTrain } from "./commands/train.ts";
import { addUpload } from "./commands/upload.ts";
import { addWatch } from "./commands/watch.ts";
import { addWorkers } from "./commands/workers.ts";
import { addWriteBack } from "./commands/write-back.ts";
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
  const isJson = args.includes("--json");
  const program = programFor(streams, isJson);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      const message = error.message.replace(/^error: /, "");
      if (isJson) streams.stderr.write(`${JSON.stringify({ error: { code: "USAGE", message } })}\n`);
      return exitCodes.usage;
    }
    const told = toldError(error);
    const at = told.pointer === undefined ? "" : ` (at ${told.pointer})`;
    streams.stderr.write(
      isJson ? `${JSON.stringify({ error: told })}\n` : `hopwise: ${told.code}: ${told.message}${at}\n`,
    );
    return exitCodes[outcomeOf(error)];
  }
}

function programFor(streams: CliStreams, isJson: boolean): Command {
  const program = new Command("hopwise")
    .description("Trains graph neural networks on a Hopwise service")
    .option("--json", "results as JSON")
    .option("--profile <name>", "which service and key, as login stored them")
    .option("--url <address>", "address of the service, in place of the profile's")
    .exitOverride()
    .showHelpAfterError("Add --help to see what there is.")
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      // Programs get what is wrong with their command line as JSON.
      writeErr: (text) => isJson || streams.stderr.write(text),
    });
  const run: Run =
    (work) =>
    async (...args) => {
      await work(contextFor(program.opts<GlobalOptions>(), streams), ...args);
    };
  const commands = [
    addLogin,
    addProfiles,
    addUpload,
    addImport,
    addSchedules,
    addCredentials,
    addDatasets,
    addTrain,
    addWatch,
    addJobs,
    addLogs,
    addCancel,
    addEndTraining,
    addModels,
    addSweeps,
    addInfer,
    addPredict,
    addExplain,
    addNeighbors,
    addDownload,
    addWriteBack,
    addWorkers,
    addDoctor,
    addStart,
    addCompletion,
    addMcp,
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
