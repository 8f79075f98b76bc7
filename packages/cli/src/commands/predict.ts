import type { AddCommand } from "../context.ts";
import { askedRows } from "./asked-rows.ts";

export const addPredict: AddCommand = (program, run) => {
  program
    .command("predict")
    .argument("<model>", "name or name@version of a kept model, or the id of a job")
    .argument("<ids...>", "of nodes of the stored graph")
    .option("--dataset <dataset>", "name@version: the rows on this dataset version; left out: the newest")
    .description("asks what a model predicts of some nodes")
    .action(
      run(async ({ client: open, output }, text: string, ids: string[], { dataset }: { dataset?: string }) => {
        const client = await open();
        const asked = await askedRows(client, text, dataset);
        const answer =
          "job" in asked
            ? await client.call("POST /v1/jobs/:id/predict", { params: { id: asked.job }, body: { ids } })
            : await client.call("POST /v1/models/:id/predict", {
                params: { id: asked.model },
                body: { ids, ...asked.choice },
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
