import type { AddCommand } from "../context.ts";
import { allDatasets, datasetRef, gathered } from "./find.ts";

export const addDatasets: AddCommand = (program, run) => {
  program
    .command("datasets")
    .argument("[dataset]", "id or name: its versions in place of the list")
    .description("lists the datasets, or the versions of one")
    .action(
      run(async ({ client: open, output }, dataset?: string) => {
        const client = await open();
        if (dataset === undefined) {
          const items = await gathered(allDatasets(client));
          output.table(items, items, {
            ID: ({ id }) => id,
            NAME: ({ name }) => name,
            CREATED: ({ createdAt }) => createdAt,
          });
          return;
        }
        const [id = ""] = (await datasetRef(client, dataset)).split("@");
        const details = await client.call("GET /v1/datasets/:id", { params: { id } });
        output.table(details.versions, details, {
          VERSION: ({ ref }) => ref,
          STATE: ({ state }) => state,
          NODES: ({ graph }) => String(graph?.info.numNodes ?? ""),
          EDGES: ({ graph }) => String(graph?.info.numEdges ?? ""),
          FILES: ({ sources }) => sources.map(({ name }) => name).join(", "),
        });
      }),
    );
};
