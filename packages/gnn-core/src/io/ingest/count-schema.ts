import { unknownType } from "../../graph/unknown-type.ts";
import { int64At, int64Words } from "../int64.ts";
import type { GraphInfo } from "./ingest-report.ts";

/** Types of nodes and of edges, and the type of each; null: all are alike */
export interface CountedTypes {
  readonly nodeTypes: readonly string[];
  /** −1: not known */
  readonly nodeCodes: Int32Array | null;
  readonly edgeTypes: readonly string[];
  /** In the order of the stored edges */
  readonly edgeCodes: Int32Array | null;
}

/**
 * How many nodes there are of each type, and how many edges of each type between nodes of which types. Null for a graph
 * whose nodes and edges are all alike.
 */
export function countSchema(
  indptr: BigInt64Array,
  indices: Int32Array,
  { nodeTypes, nodeCodes, edgeTypes, edgeCodes }: CountedTypes,
): NonNullable<GraphInfo["schema"]> | null {
  if (!nodeCodes && !edgeCodes) return null;
  const numNodes = indptr.length - 1;
  const isUnknown = nodeCodes?.includes(-1) ?? false;
  const names = isUnknown ? [...nodeTypes, unknownType] : nodeTypes;
  const typeOf = (node: number) => {
    const code = nodeCodes ? nodeCodes[node]! : 0;
    return code < 0 ? nodeTypes.length : code;
  };
  const nodes = new Float64Array(names.length);
  const [width, height] = [names.length, edgeTypes.length];
  const edges = new Float64Array(width * height * width);
  const offsets = int64Words(indptr);
  for (let dst = 0; dst < numNodes; dst++) {
    const target = typeOf(dst);
    nodes[target]! += 1;
    for (let e = int64At(offsets, dst); e < int64At(offsets, dst + 1); e++) {
      const relation = edgeCodes ? edgeCodes[e]! : 0;
      edges[(typeOf(indices[e]!) * height + relation) * width + target]! += 1;
    }
  }
  const relations = [...edges.entries()].flatMap(([at, count]) => {
    if (count === 0) return [];
    const source = names[Math.floor(at / (height * width))] as string;
    const name = edgeTypes[Math.floor(at / width) % height] as string;
    return [{ source, name, target: names[at % width] as string, count }];
  });
  return { nodeTypes: names.map((name, type) => ({ name, count: nodes[type]! })), relations };
}
