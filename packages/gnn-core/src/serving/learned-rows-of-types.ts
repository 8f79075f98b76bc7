import { join } from "node:path";
import { matchRows } from "../export/match-rows.ts";
import type { LearnedRowsOfTypes } from "../graph/csc-graph.ts";
import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { LearnedRowsInfo } from "../spec/row-names.ts";

/** Which learned row is whose among the nodes of a stored graph, by the ids that the model keeps with its rows. */
export async function learnedById(
  graph: ArtifactDir,
  model: ArtifactDir,
  { types }: LearnedRowsInfo,
): Promise<LearnedRowsOfTypes | null> {
  if (!types) return null;
  const { rowOf } = await matchRows(graph, model.dir, { rows: "types", names: types });
  return { rowOf, count: types.count };
}

/**
 * Which learned row is whose of a model that an earlier version trained, which keeps no ids: its rows lie in the order
 * of the parts that it was trained on.
 *
 * @param parts of which `node_map.npy` is there
 * @param codes int32 [numNodes], the type of each node by NodeIndex
 */
export function learnedInOrder(
  { dir }: ArtifactDir,
  codes: Int32Array,
  { features, nodeTypes }: Pick<GraphInfo, "features" | "nodeTypes">,
): LearnedRowsOfTypes {
  const dimOf = nodeTypes.map((name) => features.types?.find((type) => type.name === name)?.dim ?? 0);
  const rowOf = new Int32Array(codes.length).fill(-1);
  let count = 0;
  for (const node of mapNpy(join(dir, "node_map.npy"), "int32").values) {
    if (dimOf[codes[node] as number] === 0) rowOf[node] = count++;
  }
  return { rowOf, count };
}
