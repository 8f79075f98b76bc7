import { Option } from "commander";
import type { AddCommand } from "../context.ts";
import { wholeNumber } from "./arguments.ts";

const kinds = ["train", "infer", "map", "ingest", "export", "adopt"];

export const addJobs: AddCommand = (program, run) => {
  program
    .command("jobs")
    .option("--first <number>", "how many, the newest first", wholeNumber(1), 20)
    .addOption(new Option("--kind <kind>", "jobs of this kind alone").choices(kinds))
    .description("lists the newest jobs")
    .action(
      run(async ({ client: open, output }, { first, kind }: { first: number; kind?: string }) => {
        const client = await open();
        const query = { first: Math.min(first, 200), ...(kind !== undefined && { kind }) };
        const { items } = await client.call("GET /v1/jobs", { query });
        output.table(items, items, {
          ID: ({ id }) => id,
          KIND: (job) => job.kind,
          STATE: ({ state }) => state,
          NAME: ({ name }) => name,
          RESULT: ({ result }) => (result === null ? "" : result.toPrecision(4)),
          CREATED: ({ createdAt }) => createdAt,
        });
      }),
    );
};
