import type { HopwiseClient } from "@hopwise/client";
import type { AddCommand } from "../context.ts";
import { datasetRef } from "./find.ts";
import { followJob } from "./follow.ts";
import { buildGraph, mappingBefore, readMapping } from "./ingest.ts";
import { sendFiles } from "./send-files.ts";

/** Where files go. */
interface Target {
  readonly name?: string;
  readonly dataset?: string;
  readonly project?: string;
}

interface UploadOptions extends Target {
  readonly mapping?: string;
  readonly ingest: boolean;
}

export const addUpload: AddCommand = (program, run) => {
  program
    .command("upload")
    .argument("<files...>", "CSV, Parquet and other files of nodes and edges")
    .option("--name <name>", "of a new dataset; left out: the first file's")
    .option("--dataset <dataset>", "id or name of a dataset that gets another version of these files")
    .option("--project <project>", "of a new dataset")
    .option(
      "--mapping <file>",
      "file with a DatasetSpec in JSON; left out: that of the version before, else as proposed",
    )
    .option("--no-ingest", "looks into the files only, and shows the proposed mapping")
    .description("uploads files and has a graph built of them; what was broken off goes on where it was")
    .action(
      run(async (context, files: string[], options: UploadOptions) => {
        const client = await context.client();
        const id = await targetOf(client, files, options);
        const earlier = options.dataset === undefined ? null : await mappingBefore(client, id);
        const mapping = (await readMapping(options.mapping)) ?? earlier;
        await followJob(context, await sendFiles(context, client, id, files));
        await buildGraph(context, id, { mapping, ingest: options.ingest });
      }),
    );
};

/** The dataset that gets the files: the one that is named, else a new one. */
export async function targetOf(client: HopwiseClient, files: readonly string[], options: Target): Promise<string> {
  if (options.dataset !== undefined) {
    const [id = ""] = (await datasetRef(client, options.dataset)).split("@");
    return id;
  }
  const name = options.name ?? (files[0] ?? "").replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
  const body = { name, ...(options.project !== undefined && { project: options.project }) };
  return (await client.call("POST /v1/datasets", { body })).id;
}
