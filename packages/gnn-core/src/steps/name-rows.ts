import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { writeRowNames } from "../export/row-names-file.ts";
import { typedInputOf } from "../graph/typed-input.ts";
import type { WrittenArray } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { LearnedRowsInfo } from "../spec/row-names.ts";
import type { Trainer } from "../train/trainer.ts";
import { stepInput } from "./step-input.ts";

export interface NamedRows {
  readonly info: LearnedRowsInfo;
  readonly blobs: readonly WrittenArray[];
}

/**
 * Writes into a `model` artifact whose its learned rows are, by the ids of the graph's nodes, so that they are known on
 * another graph when this one is gone. For rank 0 alone.
 *
 * @param projectsTypes whether the model has learned rows of nodes whose types have no features
 * @returns null: the model has none, or the step was given no graph, whose ids would name them
 */
export async function nameRows(
  outDir: string,
  inputs: StepContext["inputs"],
  { nodeEmbedding, shape, data }: Pick<Trainer, "nodeEmbedding" | "shape" | "data">,
  projectsTypes: boolean,
): Promise<NamedRows | null> {
  const { graph } = inputs;
  const numTyped = projectsTypes ? (shape.numLearnedRows ?? 0) : 0;
  if (!graph || (!nodeEmbedding && numTyped === 0)) return null;
  const nodeMap = mapNpy(join(stepInput(inputs, "parts").dir, "node_map.npy"), "int32").values;
  const nodes = nodeEmbedding ? await writeRowNames(outDir, "nodes", graph, nodeMap) : null;
  const types = numTyped > 0 ? await writeRowNames(outDir, "types", graph, nodesOfTypes(data.graph, nodeMap)) : null;
  return {
    info: { nodes: nodes?.names ?? null, types: types?.names ?? null },
    blobs: [...(nodes?.blobs ?? []), ...(types?.blobs ?? [])],
  };
}

/** NodeIndex of each learned row of a type without features. */
function nodesOfTypes({ nodeTypes }: Trainer["data"]["graph"], nodeMap: Int32Array): Int32Array {
  const input = nodeTypes ? typedInputOf(nodeTypes) : null;
  const nodes = new Int32Array(input?.numLearned ?? 0);
  for (const [node, row] of input?.learnedRow.entries() ?? []) if (row >= 0) nodes[row] = nodeMap[node] as number;
  return nodes;
}
