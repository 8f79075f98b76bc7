import type { Block } from "../graph/block.ts";
import type { CscGraph, CscPart } from "../graph/csc-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { int64At, int64Words, setInt64 } from "../io/int64.ts";
import { keyedHash } from "../random/keyed-order.ts";
import type { View, ViewKey } from "./view.ts";

type Keeps = (src: number, dst: number) => boolean;

/**
 * Which edges carry messages in a view, by the GlobalIds of their ends: a function of (seed, epoch, step, number of the
 * view, ends), the same for an edge and its reverse, whatever block it is in and on whatever rank. null: all do.
 */
function keptEdges(view: View, index: number, { seed, epoch, step }: ViewKey): Keeps | null {
  if (view.droppedLinks === 0) return null;
  const key = keyedHash(seed, epoch, step, index, 3);
  const least = view.droppedLinks * 2 ** 32;
  // An edge from a node to itself is no message of another, and stays.
  return (src, dst) => src === dst || keyedHash(key, Math.min(src, dst), Math.max(src, dst)) >= least;
}

/**
 * The blocks of a batch as a view has them: without the edges that it drops, and with the degrees that are left. The
 * blocks given are not changed, and are returned where nothing is dropped.
 */
export function viewBlocks(
  blocks: readonly Block[],
  graph: CscGraph,
  view: View,
  index: number,
  key: ViewKey,
): readonly Block[] {
  const keeps = keptEdges(view, index, key);
  if (!keeps) return blocks;
  const [first] = blocks;
  const degrees = first?.srcDegrees ? degreesLeft(graph, first.srcIds, keeps) : null;
  return blocks.map((block) => {
    const left = blockOf(block, keeps);
    return degrees ? { ...left, srcDegrees: degrees.subarray(0, block.numSrc) } : left;
  });
}

function blockOf({ device, numSrc, numDst, srcIds, indptr, indices, weights, types }: Block, keeps: Keeps): Block {
  const kept: number[] = [];
  const offsets = new Int32Array(numDst + 1);
  for (let dst = 0; dst < numDst; dst++) {
    for (let e = indptr[dst] as number; e < (indptr[dst + 1] as number); e++) {
      if (keeps(srcIds[indices[e] as number] as number, srcIds[dst] as number)) kept.push(e);
    }
    offsets[dst + 1] = kept.length;
  }
  return withReverse({
    device,
    numSrc,
    numDst,
    srcIds,
    indptr: offsets,
    indices: Int32Array.from(kept, (e) => indices[e] as number),
    weights: weights && Float32Array.from(kept, (e) => weights[e] as number),
    ...(types && { types: Int32Array.from(kept, (e) => types[e] as number) }),
  });
}

/** (Weighted) in-degrees of some nodes, counting the edges alone that are kept. */
function degreesLeft({ parts }: CscGraph, nodes: Int32Array, keeps: Keeps): Float32Array {
  return Float32Array.from(nodes, (node) => {
    const part = parts.find(({ firstNode, numNodes }) => node >= firstNode && node < firstNode + numNodes) as CscPart;
    const offsets = int64Words(part.indptr);
    const at = node - part.firstNode;
    let degree = 0;
    for (let e = int64At(offsets, at); e < int64At(offsets, at + 1); e++) {
      if (keeps(part.indices[e] as number, node)) degree += part.weights?.[e] ?? 1;
    }
    return degree;
  });
}

/** The whole graph as a view has it, for exact inference; the graph itself where nothing is dropped. */
export function viewGraph(graph: CscGraph, view: View, index: number, key: ViewKey): CscGraph {
  const keeps = keptEdges(view, index, key);
  if (!keeps) return graph;
  const parts = graph.parts.map((part) => partOf(part, keeps));
  return { ...graph, parts, numEdges: parts.reduce((sum, { indices }) => sum + indices.length, 0) };
}

function partOf(part: CscPart, keeps: Keeps): CscPart {
  const { firstNode, numNodes, indices, weights, types } = part;
  const offsets = int64Words(part.indptr);
  const indptr = new BigInt64Array(numNodes + 1);
  const written = int64Words(indptr);
  const kept: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    for (let e = int64At(offsets, node); e < int64At(offsets, node + 1); e++) {
      if (keeps(indices[e] as number, firstNode + node)) kept.push(e);
    }
    setInt64(written, node + 1, kept.length);
  }
  return {
    ...part,
    indptr,
    indices: Int32Array.from(kept, (e) => indices[e] as number),
    ...(weights && { weights: Float32Array.from(kept, (e) => weights[e] as number) }),
    ...(types && { types: Int32Array.from(kept, (e) => types[e] as number) }),
  };
}
