import { CliError } from "../cli-error.ts";
import type { AddCommand } from "../context.ts";
import { wholeNumber } from "./arguments.ts";
import { askedRows } from "./asked-rows.ts";

const metrics = ["cosine", "dot", "l2"] as const;
type Metric = (typeof metrics)[number];

interface NeighborsOptions {
  readonly vector?: string;
  readonly count: number;
  readonly metric: Metric;
  readonly type?: string;
  readonly label?: string;
  readonly dataset?: string;
}

export const addNeighbors: AddCommand = (program, run) => {
  program
    .command("neighbors")
    .argument("<model>", "name or name@version of a kept model, or the id of a job")
    .argument("[id]", "of the node whose neighbours are asked for")
    .option("--vector <numbers>", "in place of an id: numbers separated by commas, as many as the embeddings have")
    .option("-k, --count <number>", "how many, 1000 at most", wholeNumber(1), 10)
    .option("--metric <metric>", "cosine, dot or l2", readMetric, "cosine")
    .option("--type <type>", "only nodes of this type")
    .option("--label <label>", "only nodes with this label")
    .option("--dataset <dataset>", "name@version: the rows on this dataset version; left out: the newest")
    .description("lists the nodes whose embeddings are nearest, found exactly")
    .action(
      run(async ({ client: open, output }, text: string, id: string | undefined, options: NeighborsOptions) => {
        const client = await open();
        const { dataset, vector, count: k, ...filters } = options;
        const body = { ...filters, k, ...(vector === undefined ? { id } : { vector: numbers(vector) }) };
        if ((id === undefined) === (vector === undefined)) throw new CliError("usage", "Name an id or a --vector.");
        const asked = await askedRows(client, text, dataset);
        const answer =
          "job" in asked
            ? await client.call("POST /v1/jobs/:id/neighbors", { params: { id: asked.job }, body })
            : await client.call("POST /v1/models/:id/neighbors", {
                params: { id: asked.model },
                body: { ...body, ...asked.choice },
              });
        output.table(answer.neighbors, answer, {
          ID: (row) => row.id,
          [answer.metric === "l2" ? "DISTANCE" : "SCORE"]: ({ score }) => String(Number(score.toPrecision(6))),
        });
      }),
    );
};

function readMetric(text: string): Metric {
  const found = metrics.find((metric) => metric === text);
  if (found) return found;
  throw new CliError("usage", `Found --metric ${text}, expected one of ${metrics.join(", ")}.`);
}

function numbers(text: string): number[] {
  const found = text.split(",").map(Number);
  if (found.every(Number.isFinite)) return found;
  throw new CliError("usage", "Found --vector with what is no number; expected numbers separated by commas.");
}
