import type { LinearAggregation } from "../components/define-model.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";

/**
 * The block through which a layer is applied to rows whose neighbourhoods are summed up already, so that any layer that
 * begins with that sum serves unchanged, with all that follows it.
 *
 *   "gcn":   no edges and degree 0, so that d̂ = 1 and the sum of a row is the row itself; x = [z]
 *   "mean":  n rows of the nodes, then n rows of their means, each the only neighbour of its node; x = [h; z]
 *
 * @param ids GlobalIds of the nodes, int32 [n]; the rows of means have the id −1 − id, so that dropout gives them a
 * mask of their own
 */
export function updateBlock(type: LinearAggregation, ids: Int32Array): Block {
  return type === "gcn" ? { ...edgelessBlock(ids), srcDegrees: new Float32Array(ids.length) } : withMeans(ids);
}

function withMeans(ids: Int32Array): Block {
  const numNodes = ids.length;
  const rows = Int32Array.from({ length: numNodes + 1 }, (_, row) => row);
  const srcIds = new Int32Array(2 * numNodes);
  srcIds.set(ids);
  for (let row = 0; row < numNodes; row++) srcIds[numNodes + row] = -1 - (ids[row] as number);
  const edges = rows.subarray(0, numNodes);
  return {
    device: "cpu",
    numSrc: 2 * numNodes,
    numDst: numNodes,
    indptr: rows,
    indices: edges.map((row) => numNodes + row),
    srcIds,
    weights: null,
    reverse: {
      indptr: Int32Array.from({ length: 2 * numNodes + 1 }, (_, row) => Math.max(0, row - numNodes)),
      indices: edges,
      edges,
    },
  };
}

/** The rows one after the other: those of the nodes, then those of their means. */
export function stackRows(own: FeatureRows, means: FeatureRows): FeatureRows {
  const { dim } = own;
  const numRows = own.numRows + means.numRows;
  if (own.kind === "dense" && means.kind === "dense") {
    return { kind: "dense", numRows, dim, values: joined(Float32Array, own.values, means.values) };
  }
  if (own.kind === "dense" || means.kind === "dense") throw new TypeError("Both rows are dense, or both CSR.");
  const first = own.indices.length;
  return {
    kind: "csr",
    numRows,
    dim,
    indptr: joined(
      Int32Array,
      own.indptr,
      means.indptr.subarray(1).map((end) => first + end),
    ),
    indices: joined(Int32Array, own.indices, means.indices),
    values: joined(Float32Array, own.values, means.values),
  };
}

function joined<T extends Float32Array | Int32Array>(type: new (length: number) => T, a: T, b: T): T {
  const out = new type(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
