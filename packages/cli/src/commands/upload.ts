import { CliError } from "../cli-error.ts";
import type { AddCommand } from "../context.ts";
import { followJob } from "./follow.ts";
import { buildGraph, mappingBefore, readMapping } from "./ingest.ts";
import { intoDataset, type Target } from "./into-dataset.ts";
import { openAddition } from "./open-addition.ts";
import { sendFiles } from "./send-files.ts";

interface UploadOptions extends Target {
  readonly mapping?: string;
  readonly add?: boolean;
  readonly ingest: boolean;
}

export const addUpload: AddCommand = (program, run) => {
  program
    .command("upload")
    .argument("<files...>", "CSV, Parquet and other files of nodes and edges")
    .option("--name <name>", "of a new dataset; left out: the first file's")
    .option("--dataset <dataset>", "id or name of a dataset that gets another version of these files")
    .option("--add", "with --dataset: the files hold new rows only, which are added to those of its newest version")
    .option("--project <project>", "of a new dataset")
    .option(
      "--mapping <file>",
      "file with a DatasetSpec in JSON; left out: that of the version before, else as proposed",
    )
    .option("--no-ingest", "looks into the files only, and shows the proposed mapping")
    .description("uploads files and has a graph built of them; what was broken off goes on where it was")
    .action(
      run(async (context, files: string[], options: UploadOptions) => {
        if (options.add && options.dataset === undefined)
          throw new CliError("usage", "--add adds rows to a dataset that is there: name it with --dataset.");
        const client = await context.client();
        const given = await readMapping(options.mapping);
        const { id, mapping, jobId } = await intoDataset(client, options, nameOfFile(files[0]), async (id) => {
          // What adds to a version keeps its mapping, and the proposal has it with the new files.
          if (options.add) await openAddition(client, id);
          const isAnother = options.dataset !== undefined && !options.add;
          const earlier = isAnother ? await mappingBefore(client, id) : null;
          const { output, streams } = context;
          const sending = { signal: streams.signal, onStatus: (text: string) => output.status(text) };
          const jobId = await sendFiles(client, id, files, sending).finally(() => output.endStatus());
          return { id, mapping: given ?? earlier, jobId };
        });
        await followJob(context, jobId);
        await buildGraph(context, id, { mapping, ingest: options.ingest });
      }),
    );
};

/** What a dataset is called whose first file this is. */
export function nameOfFile(path = ""): string {
  return path.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
}
