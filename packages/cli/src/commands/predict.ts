import type { AddCommand } from "../context.ts";
import { askedRows } from "./asked-rows.ts";
import { type NewNodes, readNewNodes } from "./read-new-nodes.ts";

interface PredictOptions {
  readonly dataset?: string;
  readonly nodes?: string;
  readonly embeddings?: boolean;
}

export const addPredict: AddCommand = (program, run) => {
  program
    .command("predict")
    .argument("<model>", "name or name@version of a kept model, or the id of a job")
    .argument("[ids...]", "of nodes of the stored graph")
    .option(
      "--nodes <file>",
      "JSON list, or JSON lines, of new nodes: id, type, features, edges; - reads the standard input",
    )
    .option("--embeddings", "with --json: answers the embedding of each node, too")
    .option("--dataset <dataset>", "name@version: the rows on this dataset version; left out: the newest")
    .description("asks what a model predicts of some nodes, or of new ones that the graph does not have")
    .action(
      run(async ({ client: open, output, streams }, text: string, ids: string[], options: PredictOptions) => {
        const { dataset, embeddings = false } = options;
        const nodes: NewNodes = options.nodes === undefined ? [] : await readNewNodes(options.nodes, streams.stdin);
        const client = await open();
        const asked = await askedRows(client, text, dataset);
        const answer =
          "job" in asked
            ? await client.call("POST /v1/jobs/:id/predict", {
                params: { id: asked.job },
                body: { ids, nodes, embeddings },
              })
            : await client.call("POST /v1/models/:id/predict", {
                params: { id: asked.model },
                body: { ids, nodes, embeddings, ...asked.choice },
              });
        const names = Object.keys(answer.predictions[0]?.values ?? {});
        const columns = names.map((name) => [name, (row: Row) => cell(row.values[name] ?? null)] as const);
        output.table(answer.predictions, answer, { id: ({ id }) => id, ...Object.fromEntries(columns) });
      }),
    );
};

interface Row {
  readonly id: string;
  readonly values: Readonly<Record<string, string | number | null>>;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
}
