import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { RowNames, RowsOf } from "../spec/row-names.ts";
import { nodeNames } from "./node-names.ts";
import { RowsByName } from "./row-names-file.ts";

/** Which learned row is whose, for the nodes of a graph. */
export interface RowsOfNodes {
  /** int32 [numNodes] by NodeIndex: the row of the model, −1: it has none of the node */
  readonly rowOf: Int32Array;
  /** Nodes that have a learned row where a model is trained on them, and the model at hand has none: by NodeIndex */
  readonly unseen: Int32Array;
  readonly numKnown: number;
}

const graphFacts = graphInfo.pick({ numNodes: true, features: true, nodeTypes: true });

/**
 * Finds the learned rows of a model for the nodes of a graph, which need not be the one that it was trained on: a row
 * is that of the node with the same id, and the same type where nodes have types.
 *
 * @param onRead called with the number of nodes that are done; may throw to end it
 */
export async function matchRows(
  graph: ArtifactDir,
  modelDir: string,
  { rows, names }: { readonly rows: RowsOf; readonly names: RowNames },
  onRead: (numDone: number) => void = () => {},
): Promise<RowsOfNodes> {
  const { numNodes } = graphFacts.parse(graph.manifest.info);
  const learned = await RowsByName.open(modelDir, rows, names);
  const hasRow = rows === "nodes" ? () => true : isOfBareType(graph);
  const { nodeTypes, typeOf, idOf } = nodeNames(graph);
  const rowOf = new Int32Array(numNodes).fill(-1);
  const unseen: number[] = [];
  let numKnown = 0;
  for (let node = 0; node < numNodes; node++) {
    if (node % 65_536 === 0) onRead(node);
    const type = typeOf(node);
    if (!hasRow(type)) continue;
    const row = learned.rowOf(idOf(node), nodeTypes[type] ?? null);
    rowOf[node] = row;
    if (row < 0) unseen.push(node);
    else numKnown++;
  }
  onRead(numNodes);
  return { rowOf, unseen: Int32Array.from(unseen), numKnown };
}

/** Whether nodes of a type have learned rows in place of features, where each type has columns of its own. */
function isOfBareType({ manifest }: ArtifactDir): (type: number) => boolean {
  const { features, nodeTypes } = graphFacts.parse(manifest.info);
  const { types } = features;
  const isBare = nodeTypes.map(
    (name) => types !== undefined && !types.some((type) => type.name === name && type.dim > 0),
  );
  return (type) => isBare[type] ?? false;
}
