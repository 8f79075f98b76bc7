import { loadAddon } from "../backends/native/addon.ts";
import type { EdgesLeft } from "../backends/native/graph-addon.ts";
import { nativeBlock } from "../backends/native/kernels/block-args.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { releaseBlocks } from "../graph/release-blocks.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import { inEdgeWeights } from "./in-edge-weights.ts";

/**
 * The blocks as if the graph had not the edges between the nodes of each pair, in neither direction and at no hop: no
 * message goes along them, and degrees are those without them, for a degree that is one too high tells that an edge is
 * hidden. Rows stay, drawn or not: a node with a fanout of 10 of which one was such an edge hears from 9.
 *
 * The blocks given are used up where they change. Of nodes whose in-edges lie with other ranks, blocks with degrees
 * have these asked for what they lose.
 *
 * @throws GnnError SPEC_INVALID for blocks with importance: their weights speak for the edges that were taken out
 */
export async function withoutEdges(blocks: readonly Block[], pairs: NodePairs, graph: CscGraph): Promise<Block[]> {
  if (blocks.some(({ importance }) => importance)) {
    const message =
      "Links are learnt from the samplers neighbor (drawing uniformly) and full: this one weighs its draws.";
    throw new GnnError("SPEC_INVALID", message, { place: { pointer: "/sampling/type" } });
  }
  const [first] = blocks;
  const isCounted = first !== undefined && countsItsDegrees(first);
  const looked = first?.srcDegrees && !isCounted ? await degreesWithout(first, first.srcDegrees, pairs, graph) : null;
  // Hops may share their arrays, which are gone through once.
  const made = new Map<Int32Array, Block>();
  for (const block of blocks) if (!made.has(block.indices)) made.set(block.indices, blockWithout(block, pairs));
  const left = blocks.map(({ indices }) => made.get(indices) as Block);
  const degrees = isCounted ? counts((left[0] as Block).indptr) : looked;
  if (!degrees) return left;
  const known = new Map(
    Array.from(new Set(left), (block) => [block, { ...block, srcDegrees: degrees.subarray(0, block.numSrc) }]),
  );
  return left.map((block) => known.get(block) as Block);
}

function blockWithout(block: Block, { src, dst }: NodePairs): Block {
  const edges = nativeSync(() => loadAddon().edgesLeft(nativeBlock(block), block.srcIds, src, dst));
  return edges ? withEdges(block, edges) : block;
}

/** Whether the block has all edges of all its rows, without weights: then their number is the degree. */
function countsItsDegrees({ numSrc, numDst, indptr, weights, srcDegrees }: Block): boolean {
  if (!srcDegrees || weights || numSrc !== numDst) return false;
  for (let row = 0; row < numDst; row++) {
    if (srcDegrees[row] !== (indptr[row + 1] as number) - (indptr[row] as number)) return false;
  }
  return true;
}

function counts(indptr: Int32Array): Float32Array {
  const degrees = new Float32Array(indptr.length - 1);
  for (let row = 0; row < degrees.length; row++) degrees[row] = (indptr[row + 1] as number) - (indptr[row] as number);
  return degrees;
}

/** The block with the edges that are left; its own arrays are given back. */
function withEdges(block: Block, { indptr, indices, kept }: EdgesLeft): Block {
  const { device, numSrc, numDst, srcIds, weights, types, srcDegrees } = block;
  const left = withReverse({
    device,
    numSrc,
    numDst,
    srcIds,
    indptr,
    indices,
    weights: weights && taken(weights, kept, new Float32Array(kept.length)),
    ...(types && { types: taken(types, kept, new Int32Array(kept.length)) }),
    ...(srcDegrees && { srcDegrees }),
  });
  const { srcDegrees: _, ...old } = block;
  releaseBlocks([{ ...old, srcIds: new Int32Array() }], srcIds);
  loadAddon().freeArray(kept);
  return left;
}

/** The values at some places. A loop: an epoch takes millions. */
function taken<T extends Float32Array | Int32Array>(values: T, places: Int32Array, to: T): T {
  for (let i = 0; i < places.length; i++) to[i] = values[places[i] as number] as number;
  return to;
}

async function degreesWithout(
  { srcIds, numSrc }: Block,
  srcDegrees: Float32Array,
  pairs: NodePairs,
  graph: CscGraph,
): Promise<Float32Array> {
  const degrees = srcDegrees.slice(0, numSrc);
  const partners = partnersOf(pairs);
  const weightOf = await inEdgeWeights(
    graph,
    srcIds.subarray(0, numSrc).filter((node) => partners.has(node)),
  );
  for (let row = 0; row < numSrc; row++) {
    const node = srcIds[row] as number;
    for (const other of partners.get(node) ?? []) {
      degrees[row] = (degrees[row] as number) - weightOf(other, node);
    }
  }
  return degrees;
}

/** The other ends of pairs, by either end, each once. */
function partnersOf({ src, dst }: NodePairs): ReadonlyMap<number, ReadonlySet<number>> {
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
