import { readFile } from "node:fs/promises";
import type { HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { durationFromFlag, gridFromFlags, seedsFromFlag } from "../spec/sweep-grid.ts";
import { type Json, specFromFlags, type TrainFlags } from "../spec/train-spec.ts";
import { anyNumber, repeated, wholeNumber } from "./arguments.ts";
import { datasetRef } from "./find.ts";
import { submit } from "./submit.ts";
import { submitSweep } from "./sweeps.ts";
import { offeredTasks } from "./tasks.ts";

interface TrainOptions extends TrainFlags {
  readonly dataset?: string;
  readonly graphName?: string;
  readonly target?: string;
  readonly task?: string;
  readonly spec?: string;
  readonly sweep?: readonly string[];
  readonly seeds?: number[];
  readonly auto?: string;
  readonly metric?: string;
  readonly watch?: boolean;
  readonly dryRun?: boolean;
}

export const addTrain: AddCommand = (program, run) => {
  program
    .command("train")
    .description("submits a training job")
    .option("--dataset <dataset>", "id or name, with @version if it is not the newest")
    .option("--graph-name <dataset>", "the same")
    .option("--spec <file>", "job spec in JSON that the options are laid over")
    .option("--task <type>", "what is learnt; left out: the first that the dataset offers")
    .option("--target <column>", "which column is learnt")
    .option("--model <type>", "such as sage, gcn or gat; gcn_cv: gcn with the sampler controlVariate")
    .option("--sampler <type>", "such as neighbor, labor or controlVariate")
    .option("--num-neighbors <numbers>", "neighbours drawn in each hop: 10, or 10,25 of each hop")
    .option("--batch-size <number>", "seeds per step of all ranks", wholeNumber(1))
    .option("--n-hidden <number>", "width of the hidden layers", wholeNumber(1))
    .option("--n-layers <number>", "layers of the model", wholeNumber(1))
    .option("--dropout <share>", "share of a layer's input that is dropped in training", anyNumber)
    .option("--epochs <number>", "epochs at most", wholeNumber(1))
    .option("--lr <number>", "learning rate", anyNumber)
    .option("--seed <number>", "the same seed gives the same model", wholeNumber(0))
    .option("--ranks <number>", "processes that train together", wholeNumber(1))
    .option("--samplers <number>", "processes that draw batches for all ranks", wholeNumber(0))
    .option("--name <text>", "of the job")
    .option("--keep <name>", "keeps the trained model under this name")
    .option("--start-from <model>", "begins with the weights of a kept model, such as papers or papers@2")
    .option("--freeze <layer>", "a layer or weight of that model that stays as it is; may be repeated", repeated)
    .option("--tag <name=value>", "may be repeated", repeated)
    .option("--set <path=value>", "any field of the spec, such as train.earlyStopping.patience=5", repeated)
    .option("--sweep <field=values>", "a job for each value, as lr=0.1,0.01 or any field; may be repeated", repeated)
    .option("--seeds <numbers>", "a job for each seed: 0,1,2 or 0-4", seedsFromFlag)
    .option("--auto <time>", "finds model and settings within a time, such as 10m, 2h or PT10M", durationFromFlag)
    .option("--metric <name>", "what --auto chooses by, such as rocAuc; left out: the task's own figure")
    .option("--watch", "follows the job to its end")
    .option("--dry-run", "shows the spec and what the job would need, and submits nothing")
    .action(
      run(async (context, options: TrainOptions) => {
        const client = await context.client();
        const spec = await specOf(client, options);
        if (options.sweep || options.seeds || options.auto || options.metric)
          return await sweep(context, spec, options);
        if (options.dryRun) {
          const estimate = await client.call("POST /v1/jobs/estimate", { body: spec });
          return context.output.result({ spec, estimate }, JSON.stringify({ spec, estimate }, null, 2));
        }
        await submit(context, spec, options.watch ?? false);
      }),
    );
};

/** Every setting of the grid with every seed, as one submission. */
async function sweep(
  context: CliContext,
  spec: Json,
  { sweep: asked = [], seeds, auto, metric, name, dryRun, watch = false }: TrainOptions,
): Promise<void> {
  const grid = gridFromFlags(asked);
  if (metric !== undefined && auto === undefined) {
    throw new CliError("usage", "--metric says what --auto chooses by; give both, or neither.");
  }
  const search = auto === undefined ? {} : { auto: { budget: auto, ...(metric !== undefined && { metric }) } };
  const body = { spec, grid, ...search, ...(seeds && { seeds }), ...(name !== undefined && { name }) };
  if (dryRun) return context.output.result(body, JSON.stringify(body, null, 2));
  await submitSweep(context, body, watch);
}

async function specOf(client: HopwiseClient, options: TrainOptions): Promise<Json> {
  const base: Json = options.spec === undefined ? {} : await readSpec(options.spec);
  const asked = options.dataset ?? options.graphName ?? base["dataset"];
  if (typeof asked !== "string") throw new CliError("usage", "Which dataset? Give --dataset <id or name>.");
  const dataset = await datasetRef(client, asked);
  const task = await taskOf(client, dataset, base["task"] as Json | undefined, options);
  return specFromFlags({ version: 1, kind: "train", ...base, dataset, task }, options);
}

/**
 * What is learnt: as asked, else the first that the dataset offers. Of a type alone it is that type as the dataset
 * offers it: with its columns, and the split of links that it has.
 */
async function taskOf(
  client: HopwiseClient,
  dataset: string,
  given: Json | undefined,
  { task, target }: TrainOptions,
): Promise<Json> {
  const asked = { ...given, ...(task !== undefined && { type: task }), ...(target !== undefined && { target }) };
  if (given !== undefined || target !== undefined) return asked;
  const offered = await offeredTasks(client, dataset);
  const found = task === undefined ? offered[0] : (offered.find(({ type }) => type === task) ?? asked);
  if (found) return found;
  throw new CliError("usage", "The dataset offers nothing to learn, or is not ready; give --task and --target.");
}

async function readSpec(path: string): Promise<Json> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Json;
  } catch (error) {
    throw new CliError(
      "usage",
      `${path} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
