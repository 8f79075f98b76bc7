import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscPart } from "../graph/csc-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { type GraphSet, graphOfNode } from "./graph-set.ts";

/**
 * Gives batches of whole graphs without drawing anything: a graph holds all in-neighbours of its nodes, so that the
 * block of every hop is the same, square and block-diagonal, and is made once. Its seeds are the nodes of whole graphs,
 * one graph after the other (`nodesOfGraphs`).
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for seeds that are a part of a graph only
 */
export function wholeGraphSampler({ graph, offsets }: GraphSet, numHops: number): Sampler {
  const parts = graph.parts.map((part) => ({ part, words: int64Words(part.indptr) }));
  return {
    async sample(seeds) {
      if (numHops === 0) return [];
      const block = blockOfGraphs(parts, offsets, seeds);
      return Array.from({ length: numHops }, () => block);
    },
  };
}

interface ReadPart {
  readonly part: CscPart;
  readonly words: ReturnType<typeof int64Words>;
}

/** A stretch of the seeds: the nodes of one graph, and what takes their GlobalIds to rows of the batch */
interface Stretch {
  readonly first: number;
  readonly end: number;
  readonly shift: number;
}

function blockOfGraphs(parts: readonly ReadPart[], offsets: Int32Array, seeds: Int32Array): Block {
  const stretches = stretchesOf(seeds, offsets);
  const indptr = new Int32Array(seeds.length + 1);
  const pieces = stretches.flatMap((stretch) => piecesOf(parts, stretch));
  const numEdges = pieces.reduce((sum, { begin, end }) => sum + end - begin, 0);
  const indices = new Int32Array(numEdges);
  const weights = parts[0]?.part.weights ? new Float32Array(numEdges) : null;
  const types = parts[0]?.part.types ? new Int32Array(numEdges) : null;
  let at = 0;
  for (const { part, words, firstNode, lastNode, begin, end, shift } of pieces) {
    for (let node = firstNode; node < lastNode; node++) {
      indptr[node + part.firstNode + shift + 1] = at + int64At(words, node + 1) - begin;
    }
    for (let edge = begin; edge < end; edge++) indices[at + edge - begin] = (part.indices[edge] as number) + shift;
    if (weights && part.weights) weights.set(part.weights.subarray(begin, end), at);
    if (types && part.types) types.set(part.types.subarray(begin, end), at);
    at += end - begin;
  }
  return withReverse({
    device: "cpu",
    numSrc: seeds.length,
    numDst: seeds.length,
    indptr,
    indices,
    srcIds: seeds,
    weights,
    ...(types && { types }),
  });
}

function stretchesOf(seeds: Int32Array, offsets: Int32Array): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = 0; at < seeds.length; ) {
    const first = seeds[at] as number;
    const graph = graphOfNode(offsets, first);
    const end = offsets[graph + 1] as number;
    const last = at + end - first - 1;
    if (first !== offsets[graph] || seeds[last] !== end - 1) {
      throw new GnnError("SHAPE_MISMATCH", `The seeds hold a part of graph ${graph} only; expected whole graphs.`);
    }
    stretches.push({ first, end, shift: at - first });
    at = last + 1;
  }
  return stretches;
}

/** The columns of a stretch in each part that has some, by the part's own numbers. */
function piecesOf(parts: readonly ReadPart[], { first, end, shift }: Stretch) {
  return parts.flatMap(({ part, words }) => {
    const firstNode = Math.max(first, part.firstNode) - part.firstNode;
    const lastNode = Math.min(end, part.firstNode + part.numNodes) - part.firstNode;
    if (firstNode >= lastNode) return [];
    return [
      { part, words, firstNode, lastNode, shift, begin: int64At(words, firstNode), end: int64At(words, lastNode) },
    ];
  });
}
