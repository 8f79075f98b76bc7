import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { inEdgeWeight } from "../graph/in-edge-weight.ts";
import { releaseBlocks } from "../graph/release-blocks.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { NodePairs } from "../links/node-pairs.ts";

/** The other ends of edges, by node: those of both directions. */
export type Partners = ReadonlyMap<number, ReadonlySet<number>>;

/** Each pair by either end: what is taken out of blocks with its reverse. */
export function partnersOf({ src, dst }: NodePairs): Partners {
  const partners = new Map<number, Set<number>>();
  const add = (node: number, other: number) => {
    const known = partners.get(node);
    if (known) known.add(other);
    else partners.set(node, new Set([other]));
  };
  for (let i = 0; i < src.length; i++) {
    add(src[i] as number, dst[i] as number);
    add(dst[i] as number, src[i] as number);
  }
  return partners;
}

/**
 * The blocks as if the graph had not the edges between partners, in neither direction and at no hop: no message goes
 * along them, and degrees are those without them, for a degree that is one too high tells that an edge is hidden. Rows
 * stay, drawn or not: a node with a fanout of 10 of which one was such an edge hears from 9.
 *
 * The blocks given are used up where they change.
 *
 * @throws GnnError SPEC_INVALID for blocks with importance: their weights speak for the edges that were taken out
 */
export function withoutEdges(blocks: readonly Block[], partners: Partners, graph: CscGraph): Block[] {
  if (blocks.some(({ importance }) => importance)) {
    const message =
      "Links are learnt from the samplers neighbor (drawing uniformly) and full: this one weighs its draws.";
    throw new GnnError("SPEC_INVALID", message, { place: { pointer: "/sampling/type" } });
  }
  const degrees = blocks[0]?.srcDegrees ? degreesWithout(blocks[0], blocks[0].srcDegrees, partners, graph) : null;
  const isEnd = endsAmong(blocks[0]?.srcIds ?? new Int32Array(), partners);
  // Hops may share their arrays, which are gone through once.
  const made = new Map<Int32Array, Block>();
  return blocks.map((block) => {
    const known = made.get(block.indices);
    if (known) return known;
    const kept = keptEdges(block, partners, isEnd);
    const left = kept ? withEdges(block, kept) : block;
    const result = degrees ? { ...left, srcDegrees: degrees.subarray(0, block.numSrc) } : left;
    made.set(block.indices, result);
    return result;
  });
}

/** 1 for rows of nodes that have partners: most edges lead from others, and no set is asked for them. */
function endsAmong(srcIds: Int32Array, partners: Partners): Uint8Array {
  return Uint8Array.from(srcIds, (node) => Number(partners.has(node)));
}

/**
 * Positions of the edges that stay; null: all do.
 *
 * @param isEnd of every src row, and of rows that other blocks have behind them
 */
function keptEdges(
  { numDst, indptr, indices, srcIds }: Block,
  partners: Partners,
  isEnd: Uint8Array,
): Int32Array | null {
  const dropped: number[] = [];
  for (let dst = 0; dst < numDst; dst++) {
    if (isEnd[dst] === 0) continue;
    const withheld = partners.get(srcIds[dst] as number);
    for (let e = indptr[dst] as number; e < (indptr[dst + 1] as number); e++) {
      const src = indices[e] as number;
      if (isEnd[src] === 1 && withheld?.has(srcIds[src] as number)) dropped.push(e);
    }
  }
  if (dropped.length === 0) return null;
  const kept = new Int32Array(indices.length - dropped.length);
  let next = 0;
  let at = 0;
  for (let e = 0; e < indices.length; e++) {
    if (dropped[next] === e) next += 1;
    else kept[at++] = e;
  }
  return kept;
}

function withEdges(block: Block, kept: Int32Array): Block {
  const { device, numSrc, numDst, srcIds, weights, srcDegrees, types } = block;
  const indptr = new Int32Array(numDst + 1);
  let at = 0;
  for (let dst = 0; dst < numDst; dst++) {
    const end = block.indptr[dst + 1] as number;
    while (at < kept.length && (kept[at] as number) < end) at++;
    indptr[dst + 1] = at;
  }
  const left = withReverse({
    device,
    numSrc,
    numDst,
    srcIds,
    indptr,
    indices: kept.map((e) => block.indices[e] as number),
    weights: weights && Float32Array.from(kept, (e) => weights[e] as number),
    ...(types && { types: kept.map((e) => types[e] as number) }),
    ...(srcDegrees && { srcDegrees }),
  });
  const { srcDegrees: _, ...old } = block;
  releaseBlocks([{ ...old, srcIds: new Int32Array() }], srcIds);
  return left;
}

function degreesWithout(
  { srcIds, numSrc }: Block,
  srcDegrees: Float32Array,
  partners: Partners,
  graph: CscGraph,
): Float32Array {
  const degrees = srcDegrees.slice(0, numSrc);
  for (let row = 0; row < numSrc; row++) {
    const node = srcIds[row] as number;
    for (const other of partners.get(node) ?? []) {
      degrees[row] = (degrees[row] as number) - inEdgeWeight(graph, other, node);
    }
  }
  return degrees;
}
