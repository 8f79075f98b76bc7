import { askedRows } from "../commands/asked-rows.ts";
import type { NewNodes } from "../commands/read-new-nodes.ts";
import { type ArgumentSchema, type Arguments, countIn, type Tool, type ToolScope, textIn } from "./tool.ts";

const whose: Readonly<Record<string, ArgumentSchema>> = {
  model: { type: "string", description: "name or name@version of a kept model, or the id of a job" },
  dataset: { type: "string", description: "name@version: the rows on this dataset version; left out: the newest" },
};
const node: ArgumentSchema = { type: "string", description: "Id of a node of the stored graph" };

const newNodes: ArgumentSchema = {
  type: "array",
  description:
    'New nodes as their rows and edges would stand in the files: {"id", "type", "features": {column: value}, "edges": [{"relation", "to" or "from", "weight"}]}; type and relation where the graph has types',
  items: { type: "object" },
};

/** Single questions about the rows of models and jobs. */
export const questionTools: readonly Tool[] = [
  {
    name: "predict",
    description: "What a model predicts of some nodes of the stored graph, or of new ones; nothing is stored.",
    isReadOnly: true,
    required: ["model"],
    arguments: {
      ...whose,
      ids: { type: "array", description: "Ids of nodes of the stored graph", items: { type: "string" } },
      nodes: newNodes,
    },
    run: predict,
  },
  {
    name: "find_neighbors",
    description: "The nodes whose embeddings are nearest to a node's, found exactly.",
    isReadOnly: true,
    required: ["model", "id"],
    arguments: {
      ...whose,
      id: node,
      count: { type: "integer", description: "How many; left out: 10", minimum: 1, maximum: 200 },
    },
    run: async (given, { client }) => {
      const asked = await rowsOf(given, client);
      const body = { id: textIn(given, "id"), k: countIn(given, "count", 10) };
      return "job" in asked
        ? client.call("POST /v1/jobs/:id/neighbors", { params: { id: asked.job }, body })
        : client.call("POST /v1/models/:id/neighbors", {
            params: { id: asked.model },
            body: { ...body, ...asked.choice },
          });
    },
  },
  {
    name: "explain",
    description: "Why a model gives a node its class: the edges and features that decide (GNNExplainer).",
    isReadOnly: true,
    required: ["model", "id"],
    arguments: {
      ...whose,
      id: { type: "string", description: "Id of a node of the stored graph, or of one of nodes" },
      nodes: newNodes,
      class: { type: "string", description: "Left out: the predicted one" },
    },
    run: async (given, { client, signal }) => {
      const asked = await rowsOf(given, client);
      const wanted = textIn(given, "class");
      const { nodes = [] } = given as { readonly nodes?: NewNodes };
      const body = { id: textIn(given, "id"), nodes, ...(wanted !== "" && { class: wanted }) };
      return "job" in asked
        ? client.call("POST /v1/jobs/:id/explain", { params: { id: asked.job }, body, signal })
        : client.call("POST /v1/models/:id/explain", {
            params: { id: asked.model },
            body: { ...body, ...asked.choice },
            signal,
          });
    },
  },
];

async function predict(given: Arguments, { client, signal }: ToolScope): Promise<unknown> {
  const asked = await rowsOf(given, client);
  const { ids = [], nodes = [] } = given as { readonly ids?: string[]; readonly nodes?: NewNodes };
  const body = { ids, nodes };
  return "job" in asked
    ? client.call("POST /v1/jobs/:id/predict", { params: { id: asked.job }, body, signal })
    : client.call("POST /v1/models/:id/predict", {
        params: { id: asked.model },
        body: { ...body, ...asked.choice },
        signal,
      });
}

function rowsOf(given: Arguments, client: ToolScope["client"]) {
  const dataset = textIn(given, "dataset");
  return askedRows(client, textIn(given, "model"), dataset === "" ? undefined : dataset);
}
