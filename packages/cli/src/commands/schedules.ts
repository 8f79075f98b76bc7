import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { AddCommand, Run } from "../context.ts";
import { datasetRef } from "./find.ts";

type Schedule = AnswerOf<"GET /v1/import-schedules/:id">;

/** When an import is fetched again, as options have it. */
export interface ScheduleOptions {
  readonly every?: string;
  readonly cron?: string;
  readonly timeZone?: string;
}

/** @throws CliError for options that go with no schedule */
export function wantsSchedule({ every, cron, timeZone }: ScheduleOptions): boolean {
  if (every !== undefined && cron !== undefined)
    throw new CliError("usage", "Found --every and --cron; a schedule has one of them.");
  if (cron === undefined && timeZone !== undefined)
    throw new CliError("usage", "Found --time-zone without --cron, which is what it is for.");
  return every !== undefined || cron !== undefined;
}

/** Has an import fetched again by schedule. */
export function schedule(client: HopwiseClient, importId: string, options: ScheduleOptions): Promise<Schedule> {
  const { every, cron, timeZone } = options;
  const body = { ...(every !== undefined && { every }), ...(cron !== undefined && { cron }) };
  return client.call("POST /v1/imports/:id/schedules", {
    params: { id: importId },
    body: { ...body, ...(timeZone !== undefined && { timeZone }) },
  });
}

/** When it is fetched again, in words. */
export function cadenceText({ everyMinutes, cron, timeZone }: Schedule): string {
  if (everyMinutes === null) return `${cron} (${timeZone})`;
  if (everyMinutes % 1440 === 0) return everyMinutes === 1440 ? "daily" : `every ${everyMinutes / 1440} days`;
  return everyMinutes % 60 === 0 ? `every ${everyMinutes / 60} h` : `every ${everyMinutes} min`;
}

export const addSchedules: AddCommand = (program, run) => {
  const schedules = program
    .command("schedules")
    .option("--dataset <dataset>", "id or name: those of one dataset alone")
    .description(
      "lists by which schedules imports are fetched again; with a further word pauses, resumes or deletes one",
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
          STATE: ({ state, pauseReason }) => (pauseReason === null ? state : `${state} (${pauseReason})`),
          NEXT: ({ nextAt }) => nextAt ?? "",
          LAST: ({ lastAt }) => lastAt ?? "",
          RESULT: ({ lastResult, problem }) => problem?.code ?? lastResult ?? "",
          FROM: ({ sources }) => sources.join(", "),
        });
      }),
    );
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
