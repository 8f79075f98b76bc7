import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type AnswerOf, finishedJob } from "@hopwise/client";
import type { Command } from "commander";
import type { AddCommand, CliContext, Run } from "../context.ts";
import { formatTable } from "../output/table.ts";
import { allPages, gathered } from "./find.ts";

export type SweepDetails = AnswerOf<"GET /v1/sweeps/:id">;

export const addSweeps: AddCommand = (program, run) => {
  const sweeps = program
    .command("sweeps")
    .description("lists the sweeps; with a further word shows, follows, promotes, cancels or deletes one")
    .action(
      run(async ({ client: open, output }) => {
        const client = await open();
        const items = await gathered(
          allPages((after) => client.call("GET /v1/sweeps", { query: { first: 200, ...(after && { after }) } })),
        );
        output.table(items, items, {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          DATASET: ({ datasetName }) => datasetName,
          SETTINGS: ({ numSettings }) => String(numSettings),
          JOBS: ({ counts }) => `${counts.succeeded} of ${counts.jobs}`,
          SUBMITTED: ({ createdAt }) => createdAt,
        });
      }),
    );
  addShow(sweeps, run);
  addWatch(sweeps, run);
  addPromote(sweeps, run);
  addEnds(sweeps, run);
};

/** Submits a sweep, follows it if that is asked for, and tells its id; with its table when it was followed. */
export async function submitSweep(
  context: CliContext,
  body: {
    spec: Record<string, unknown>;
    grid: Record<string, unknown[]>;
    seeds?: number[];
    auto?: { budget: string; metric?: string };
    name?: string;
  },
  watch: boolean,
): Promise<void> {
  const client = await context.client();
  // One command is one sweep, however often it has to be sent.
  const sweep = await client.call("POST /v1/sweeps", { body, idempotencyKey: `cli/${randomUUID()}` });
  if (!watch) return context.output.result(sweep, sweep.id);
  context.output.note(`sweep ${sweep.id}${body.auto ? "" : `: ${sweep.counts.jobs} jobs`}`);
  await followSweep(context, sweep.id);
}

function addShow(sweeps: Command, run: Run): void {
  sweeps
    .command("show")
    .argument("<sweep>", "id of a sweep")
    .description("shows each setting with mean and deviation over its seeds, and the best of them")
    .action(
      run(async ({ client, output }, id: string) => {
        const sweep = await (await client()).call("GET /v1/sweeps/:id", { params: { id } });
        output.result(sweep, sweepText(sweep));
      }),
    );
}

function addWatch(sweeps: Command, run: Run): void {
  sweeps
    .command("watch")
    .argument("<sweep>", "id of a sweep")
    .description("follows a sweep until all its jobs have ended")
    .action(run((context, id: string) => followSweep(context, id)));
}

/** Follows a sweep to its end and shows it. An interrupt ends the program, not the jobs. */
async function followSweep(context: CliContext, id: string): Promise<void> {
  const { output, streams } = context;
  const client = await context.client();
  const read = () => client.call("GET /v1/sweeps/:id", { params: { id } });
  let numTold = 0;
  for (;;) {
    const sweep = await read();
    const told = sweep.search?.decisions ?? [];
    for (const decision of told.slice(numTold)) output.note(decision);
    numTold = told.length;
    if (sweep.finishedAt !== null) return output.result(sweep, sweepText(sweep));
    const open = sweep.settings.flatMap(({ trials }) => trials).find(({ state }) => !ended.has(state));
    output.status(
      `${sweep.counts.jobs - sweep.counts.waiting - sweep.counts.running} of ${sweep.counts.jobs} jobs have ended`,
    );
    // Between two trials of a search there is nothing to follow.
    if (open) await finishedJob(client, open.jobId, { signal: streams.signal });
    else await setTimeout(1000, undefined, { signal: streams.signal });
    output.endStatus();
  }
}

const ended: ReadonlySet<string> = new Set(["SUCCEEDED", "FAILED", "CANCELLED"]);

function addPromote(sweeps: Command, run: Run): void {
  sweeps
    .command("promote")
    .argument("<sweep>", "id of a sweep")
    .argument("<name>", "of a new model, or of one that gets another version")
    .option("--production", "moves the version to production as well")
    .description("keeps the model of the best setting")
    .action(
      run(async ({ client, output }, id: string, name: string, { production }: { production?: true }) => {
        const body = { name, stage: production ? ("production" as const) : ("candidate" as const) };
        const version = await (await client()).call("POST /v1/sweeps/:id/promote", { params: { id }, body });
        output.result(version, `${version.ref}  ${version.note}`);
      }),
    );
}

function addEnds(sweeps: Command, run: Run): void {
  sweeps
    .command("cancel")
    .argument("<sweep>", "id of a sweep")
    .description("has all its jobs stopped that have not ended")
    .action(
      run(async ({ client, output }, id: string) => {
        const sweep = await (await client()).call("POST /v1/sweeps/:id/cancel", { params: { id } });
        output.result(sweep, `${sweep.counts.cancelled} of ${sweep.counts.jobs} jobs are cancelled.`);
      }),
    );
  sweeps
    .command("delete")
    .argument("<sweep>", "id of a sweep whose jobs have ended")
    .description("deletes a sweep with its jobs; models that are kept stay")
    .action(
      run(async ({ client, output }, id: string) => {
        await (await client()).call("DELETE /v1/sweeps/:id", { params: { id } });
        output.result({ deleted: id }, `${id} is deleted.`);
      }),
    );
}

type Spread = SweepDetails["settings"][number]["validation"];

/** A row for each setting, the best one marked, and why it is the best. */
export function sweepText({ settings, metric, best, counts, search }: SweepDetails): string {
  // Candidates of a search differ in many fields: their names say more.
  const paths = search ? [] : [...new Set(settings.flatMap(({ changes }) => Object.keys(changes)))];
  const heads = ["", ...(search ? ["SETTING"] : paths), "SEEDS", `val/${metric ?? "?"}`, `test/${metric ?? "?"}`];
  const rows = settings.map(({ index, changes, title, trials, validation, test }) => [
    best?.setting === index ? "*" : "",
    ...(search ? [title] : []),
    ...paths.map((path) => (path in changes ? valueText(changes[path]) : "")),
    `${validation?.count ?? 0} of ${trials.length}`,
    spreadText(validation),
    spreadText(test),
  ]);
  const failed = counts.failed > 0 ? [`${counts.failed} ${counts.failed === 1 ? "job has" : "jobs have"} failed.`] : [];
  return [formatTable(heads, rows), ...failed, ...(best ? [best.reason] : [])].join("\n");
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function spreadText(spread: Spread): string {
  if (!spread) return "";
  return spread.deviation === null
    ? spread.mean.toFixed(4)
    : `${spread.mean.toFixed(4)} ± ${spread.deviation.toFixed(4)}`;
}
