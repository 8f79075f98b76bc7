import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { AddCommand, CliContext, Run } from "../context.ts";
import { datasetRef } from "./find.ts";

type Schedule = AnswerOf<"GET /v1/import-schedules/:id">;

/** When an import is fetched again, as options have it. */
export interface ScheduleOptions {
  readonly every?: string;
  readonly cron?: string;
  readonly timeZone?: string;
  /** Each run adds its rows; left out: as the import does */
  readonly add?: boolean;
}

export const everyText = "fetches it again by schedule: hourly, daily, weekly, or like 30m, 6h, 2d";
export const cronText = "in place of --every: five fields, like '0 6 * * MON-FRI'";
export const zoneText = "of --cron, like Europe/Berlin; left out: UTC";

/** @throws CliError for options that go with no schedule */
export function wantsSchedule({ every, cron, timeZone }: ScheduleOptions): boolean {
  if (every !== undefined && cron !== undefined)
    throw new CliError("usage", "Found --every and --cron; a schedule has one of them.");
  if (cron === undefined && timeZone !== undefined)
    throw new CliError("usage", "Found --time-zone without --cron, which is what it is for.");
  return every !== undefined || cron !== undefined;
}

/** Has an import fetched again by schedule, and tells when. */
export async function schedule(
  { client: open, output }: CliContext,
  importId: string,
  { every, cron, timeZone, add }: ScheduleOptions,
): Promise<Schedule> {
  const when = { ...(every !== undefined && { every }), ...(cron !== undefined && { cron }) };
  const body = { ...when, ...(add && { adds: true }) };
  const made = await (await open()).call("POST /v1/imports/:id/schedules", {
    params: { id: importId },
    body: { ...body, ...(timeZone !== undefined && { timeZone }) },
  });
  const what = made.adds ? "and its rows added " : "";
  output.note(`It is fetched again ${what}${cadenceText(made)} by ${made.id}, next at ${made.nextAt}.`);
  return made;
}

/** The newest import of a dataset that can be fetched again. @throws CliError */
async function newestImport(client: HopwiseClient, dataset: string): Promise<string> {
  const [id = ""] = (await datasetRef(client, dataset)).split("@");
  const { items } = await client.call("GET /v1/datasets/:id/imports", { params: { id } });
  const found = items.find(({ state, published }) => state === "SUCCEEDED" && published === null);
  if (found) return found.id;
  throw new CliError("notFound", `The dataset ${id} has no import from addresses that has succeeded; hopwise import.`);
}

/** When it is fetched again, in words. */
export function cadenceText({ everyMinutes, cron, timeZone }: Schedule): string {
  if (everyMinutes === null) return `${cron} (${timeZone})`;
  if (everyMinutes % 1440 === 0) return everyMinutes === 1440 ? "daily" : `every ${everyMinutes / 1440} days`;
  return everyMinutes % 60 === 0 ? `every ${everyMinutes / 60} h` : `every ${everyMinutes} min`;
}

function stateText({ state, pauseReason, runId }: Schedule): string {
  const more = runId === null ? pauseReason : "fetching now";
  return more === null ? state : `${state} (${more})`;
}

export const addSchedules: AddCommand = (program, run) => {
  const schedules = program
    .command("schedules")
    .option("--dataset <dataset>", "id or name: those of one dataset alone")
    .description(
      "lists by which schedules imports are fetched again; with a further word adds, pauses, resumes or deletes one",
    )
    .action(
      run(async ({ client: open, output }, { dataset }: { readonly dataset?: string }) => {
        const client = await open();
        const id = dataset === undefined ? undefined : (await datasetRef(client, dataset)).split("@")[0];
        const query = id === undefined ? {} : { dataset: id };
        const { items } = await client.call("GET /v1/import-schedules", { query });
        output.table(items, items, {
          ID: ({ id }) => id,
          WHEN: cadenceText,
          STATE: stateText,
          NEXT: ({ nextAt }) => nextAt ?? "",
          LAST: ({ lastAt }) => lastAt ?? "",
          ADDS: ({ adds }) => (adds ? "yes" : ""),
          RESULT: ({ lastResult, problem }) => problem?.code ?? lastResult ?? "",
          FROM: ({ sources }) => sources.join(", "),
        });
      }),
    );
  addAdd(schedules, run);
  addMove(schedules, run, "pause", "starts no more runs");
  addMove(schedules, run, "resume", "goes on with a paused schedule at its next time");
  schedules
    .command("delete")
    .argument("<id>", "id of the schedule")
    .description("removes a schedule; the versions that it made stay")
    .action(
      run(async ({ client: open, output }, id: string) => {
        await (await open()).call("DELETE /v1/import-schedules/:id", { params: { id } });
        output.result({ id, deleted: true }, `${id} is removed.`);
      }),
    );
};

function addAdd(schedules: Command, run: Run): void {
  schedules
    .command("add")
    .argument("<dataset>", "id or name; what was imported into it last is fetched again")
    .option("--every <time>", everyText)
    .option("--cron <expression>", cronText)
    .option("--time-zone <zone>", zoneText)
    .option("--add", "each run adds its rows to those of the newest graph; left out: as the import did")
    .description("has what was imported fetched again by schedule")
    .action(
      run(async (context, dataset: string, options: ScheduleOptions) => {
        if (!wantsSchedule(options)) throw new CliError("usage", "Give --every or --cron.");
        const made = await schedule(context, await newestImport(await context.client(), dataset), options);
        context.output.result(made, made.id);
      }),
    );
}

function addMove(schedules: Command, run: Run, word: "pause" | "resume", description: string): void {
  schedules
    .command(word)
    .argument("<id>", "id of the schedule")
    .description(description)
    .action(
      run(async ({ client: open, output }, id: string) => {
        const client = await open();
        const request = { params: { id } };
        const moved =
          word === "pause"
            ? await client.call("POST /v1/import-schedules/:id/pause", request)
            : await client.call("POST /v1/import-schedules/:id/resume", request);
        const next = moved.nextAt === null ? "it is paused" : `its next run is at ${moved.nextAt}`;
        output.result(moved, `${id}: ${next}.`);
      }),
    );
}
