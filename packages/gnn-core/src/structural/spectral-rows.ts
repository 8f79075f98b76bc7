import { matMul, tensor2d, tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import { floatsOf, rankShare } from "../dist/rank-share.ts";
import { shareRows } from "../dist/share-rows.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { NodeRange } from "../graph/csc-graph.ts";
import { forEachChunk } from "../infer/for-each-chunk.ts";
import { layerwiseInference } from "../infer/layerwise-inference.ts";
import { inDegrees } from "../sampling/with-degrees.ts";
import type { StructuralOptions } from "../spec/structural-options.ts";
import { orthonormalizer } from "./orthonormal-columns.ts";
import { RandomSigns } from "./random-signs.ts";
import { type TakeRows, type WalkParts, walkOf } from "./walk.ts";

/** Fixed: sums over chunks are added in their order, whichever rank made them. */
const chunkRows = 4096;

/**
 * Rows of the leading eigenvectors of the random walk D⁻¹ A, those of slowest decay, brought to length 1: nodes between
 * which a walk wanders for long lie close together (spectral embedding, Ng, Jordan and Weiss 2001; as features for
 * communities Tang and Liu 2011). Found by `hops` rounds of subspace iteration from random signs:
 *   Z = D⁻¹ A Q,  Q = Z · R⁻¹ with Zᵀ D Z = RᵀR  (the walk is symmetric in the inner product of D)
 * On a directed graph the same rounds give the leading invariant subspace of its walk along in-edges.
 */
export async function spectralRows(parts: WalkParts, { dim, hops }: StructuralOptions, take: TakeRows): Promise<void> {
  const { graph, rank, sharedRows, seed, signal } = parts;
  const means = sharedRows("spectral-means", graph.numNodes * dim);
  const basis = sharedRows("spectral-basis", graph.numNodes * dim);
  let input: FeatureStore = new RandomSigns(graph.numNodes, dim, seed);
  for (let round = 0; round < hops; round++) {
    await layerwiseInference({ model: walkOf(dim, 1), graph, features: input, rank, signal, outputOf: () => means });
    const toOrthonormal = orthonormalizer(await gramOf(parts, means, dim), dim);
    forOwnChunks(parts, (firstNode, count) => {
      const rows = means.subarray(firstNode * dim, (firstNode + count) * dim);
      basis.set(multiply(rows, toOrthonormal, dim), firstNode * dim);
    });
    await agreeToContinue(rank.collective, signal);
    await shareRows(rank, basis, floatsOf(nodesOf(chunksOf(parts), graph.numNodes), dim));
    input = new DenseFeatureStore(dim, [basis]);
  }
  await forEachChunk(parts, rankShare(graph.numNodes, rank), async (firstNode, count) => {
    take(firstNode, ofLengthOne(basis.subarray(firstNode * dim, (firstNode + count) * dim), dim), 0);
  });
  await agreeToContinue(rank.collective, signal);
}

/** Zᵀ D Z: each rank sums its chunks, then each adds all sums in one order. float64 [dim, dim] */
async function gramOf(parts: WalkParts, z: Float32Array, dim: number): Promise<Float64Array> {
  const { graph, rank, sharedRows, signal } = parts;
  const numChunks = Math.ceil(graph.numNodes / chunkRows);
  const sums = sharedRows("spectral-gram", numChunks * dim * dim);
  for (const [chunk, { firstNode, count }] of ownChunks(parts)) {
    if (signal.aborted) break;
    const degrees = await inDegrees(
      graph,
      Int32Array.from({ length: count }, (_, i) => firstNode + i),
    );
    const rows = z.slice(firstNode * dim, (firstNode + count) * dim);
    for (let i = 0; i < rows.length; i++) rows[i]! *= Math.sqrt(degrees[Math.floor(i / dim)] as number);
    const product = tidy(() => {
      const weighted = tensor2d(rows, [count, dim]);
      return matMul(weighted, weighted, true, false).dataSync<"float32">();
    });
    sums.set(product, chunk * dim * dim);
  }
  await agreeToContinue(rank.collective, signal);
  await shareRows(rank, sums, floatsOf(chunksOf(parts), dim * dim));
  const gram = new Float64Array(dim * dim);
  for (let i = 0; i < sums.length; i++) gram[i % gram.length]! += sums[i] as number;
  return gram;
}

/** Numbers of the chunks that a rank computes */
function chunksOf({ graph, rank }: WalkParts): NodeRange {
  return rankShare(Math.ceil(graph.numNodes / chunkRows), rank);
}

function nodesOf({ first, count }: NodeRange, numNodes: number): NodeRange {
  const [firstNode, end] = [first, first + count].map((chunk) => Math.min(numNodes, chunk * chunkRows));
  return { first: firstNode as number, count: (end as number) - (firstNode as number) };
}

function* ownChunks(parts: WalkParts): Generator<[number, { firstNode: number; count: number }]> {
  const { first, count: numChunks } = chunksOf(parts);
  for (let chunk = first; chunk < first + numChunks; chunk++) {
    const { first: firstNode, count } = nodesOf({ first: chunk, count: 1 }, parts.graph.numNodes);
    yield [chunk, { firstNode, count }];
  }
}

function forOwnChunks(parts: WalkParts, work: (firstNode: number, count: number) => void): void {
  for (const [, { firstNode, count }] of ownChunks(parts)) if (!parts.signal.aborted) work(firstNode, count);
}

/** rows [n, dim] · matrix [dim, dim] */
function multiply(rows: Float32Array, matrix: Float32Array, dim: number): Float32Array {
  return tidy(() =>
    matMul(tensor2d(rows, [rows.length / dim, dim]), tensor2d(matrix, [dim, dim])).dataSync<"float32">(),
  );
}

function ofLengthOne(rows: Float32Array, dim: number): Float32Array {
  const normalized = new Float32Array(rows.length);
  for (let from = 0; from < rows.length; from += dim) {
    let squares = 0;
    for (let i = from; i < from + dim; i++) squares += (rows[i] as number) ** 2;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = from; i < from + dim; i++) normalized[i] = (rows[i] as number) * scale;
  }
  return normalized;
}
