import type { AddCommand } from "../context.ts";
import { repeated, wholeNumber } from "./arguments.ts";
import { datasetRef } from "./find.ts";
import { submit } from "./submit.ts";

interface InferOptions {
  readonly model: string;
  readonly dataset: string;
  readonly ranks?: number;
  readonly format?: readonly string[];
  readonly newNeighbors?: number;
  readonly name?: string;
  readonly watch?: boolean;
}

export const addInfer: AddCommand = (program, run) => {
  program
    .command("infer")
    .description("submits a job that applies a kept model to a dataset")
    .requiredOption("--model <model>", "name, or name@version such as papers@3")
    .requiredOption("--dataset <dataset>", "id or name, with @version if it is not the newest")
    .option("--ranks <number>", "processes that infer together", wholeNumber(1))
    .option("--format <format>", "of embeddings and predictions: parquet, csv or arrow; may be repeated", repeated)
    .option("--new-neighbors <number>", "of each node that a model of links lists, 0 to 100", wholeNumber(0))
    .option("--name <text>", "of the job")
    .option("--watch", "follows the job to its end")
    .action(
      run(async (context, { model, dataset, ranks, format, newNeighbors, name, watch }: InferOptions) => {
        const formats = format && { embeddings: { formats: format }, predictions: { formats: format } };
        const outputs = { ...formats, ...(newNeighbors !== undefined && { newNeighbors }) };
        const spec = {
          version: 1,
          kind: "infer",
          model,
          dataset: await datasetRef(await context.client(), dataset),
          ...(name !== undefined && { name }),
          ...(ranks !== undefined && { resources: { ranks } }),
          ...(Object.keys(outputs).length > 0 && { outputs }),
        };
        await submit(context, spec, watch ?? false);
      }),
    );
};
