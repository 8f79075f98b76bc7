import type { AddCommand } from "../context.ts";

export const addWorkers: AddCommand = (program, run) => {
  program
    .command("workers")
    .description("lists the workers: what they are, and what they run")
    .action(
      run(async ({ client, output }) => {
        const { items } = await (await client()).call("GET /v1/workers");
        output.table(items, items, {
          ID: ({ id }) => id,
          STATE: ({ state }) => state,
          HOST: ({ host }) => host,
          SLOTS: ({ slots }) => String(slots),
          DEVICES: ({ devices }) => devices.map(({ kind }) => kind).join(", "),
          RUNNING: ({ running }) => running.map(({ jobId }) => jobId).join(", "),
          WHY: ({ reason }) => reason ?? "",
        });
      }),
    );
};
