/** A small graph as full matrices, and matrix arithmetic in double precision: formulas are tested against these. */
import { loopback } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { type CscGraph, graphFromEdges } from "../../src/index.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { randomFloats, seededRandom } from "./seeded-random.ts";

export type Matrix = number[][];

export interface DenseGraph {
  readonly graph: CscGraph;
  readonly numNodes: number;
  readonly dim: number;
  readonly features: Float32Array;
  /** weight of u → v at [v][u]; 0 without an edge */
  readonly adjacency: Matrix;
  readonly x: Matrix;
}

/** Random edges, none twice; the last node has no in-edges. */
export async function denseGraph(numNodes: number, dim: number, weighted: boolean): Promise<DenseGraph> {
  const random = seededRandom(5);
  const adjacency = matrix(numNodes, numNodes, () => 0);
  const src: number[] = [];
  const dst: number[] = [];
  const weights: number[] = [];
  while (src.length < 4 * numNodes) {
    const u = Math.floor(random() * numNodes);
    const v = Math.floor(random() * (numNodes - 1));
    if (adjacency[v]![u] !== 0) continue;
    const weight = weighted ? Math.fround(0.5 + random()) : 1;
    adjacency[v]![u] = weight;
    src.push(u);
    dst.push(v);
    weights.push(weight);
  }
  const features = randomFloats(numNodes * dim, 4);
  const graph = await graphFromEdges({
    src,
    dst,
    numNodes,
    ...(weighted && { weights: Float32Array.from(weights) }),
  });
  return { graph, numNodes, dim, features, adjacency, x: matrixOf(features, dim) };
}

export function matrix(rows: number, columns: number, at: (row: number, column: number) => number): Matrix {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => at(i, j)));
}

export function matrixOf(values: ArrayLike<number>, columns: number): Matrix {
  return matrix(columns === 0 ? 0 : values.length / columns, columns, (i, j) => values[i * columns + j]!);
}

export const times = (a: Matrix, b: Matrix): Matrix =>
  matrix(a.length, b[0]!.length, (i, j) => a[i]!.reduce((sum, value, k) => sum + value * b[k]![j]!, 0));
export const plus = (a: Matrix, b: Matrix): Matrix => matrix(a.length, a[0]!.length, (i, j) => a[i]![j]! + b[i]![j]!);
export const scaled = (a: Matrix, factor: number): Matrix => a.map((row) => row.map((value) => factor * value));
export const mapped = (a: Matrix, f: (value: number) => number): Matrix => a.map((row) => row.map(f));
export const plusRow = (a: Matrix, row: readonly number[]): Matrix =>
  a.map((of) => of.map((value, j) => value + row[j]!));
export const relu = (a: Matrix): Matrix => mapped(a, (value) => Math.max(0, value));
export const identity = (size: number): Matrix => matrix(size, size, (i, j) => (i === j ? 1 : 0));

/** D̂^-1/2·(A + I)·D̂^-1/2, D̂ the row sums of A + I */
export function gcnMatrix(adjacency: Matrix): Matrix {
  const hat = plus(adjacency, identity(adjacency.length));
  const degrees = hat.map((row) => row.reduce((sum, value) => sum + value, 0));
  return matrix(hat.length, hat.length, (v, u) => hat[v]![u]! / Math.sqrt(degrees[v]! * degrees[u]!));
}

/** Every row divided by its sum; rows of zeros stay. */
export function rowMeans(a: Matrix): Matrix {
  return a.map((row) => {
    const sum = row.reduce((total, value) => total + value, 0);
    return row.map((value) => (sum === 0 ? 0 : value / sum));
  });
}

/** The weights of a model by name: matrices, or rows of one. */
export function weightsOf(model: GnnModel): (name: string) => Matrix {
  const all = new Map(
    [...model.variables, ...(model.buffers ?? [])].map(({ name, variable }) => [
      name,
      matrixOf(variable.dataSync<"float32">(), variable.shape.at(-1)!),
    ]),
  );
  return (name) => {
    const found = all.get(name);
    if (!found) throw new Error(`no ${name} among ${[...all.keys()].join(", ")}`);
    return found;
  };
}

/** Embeddings and logits of all nodes by layer-wise inference in small chunks. */
export async function inferred(model: GnnModel, { graph, features, dim, numNodes }: DenseGraph, chunkSize = 7) {
  const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: loopback() } as const;
  const store = new DenseFeatureStore(dim, [features]);
  const signal = new AbortController().signal;
  return inferNodes(
    { model, graph, features: store, rank, signal, chunkSize },
    (_name, width) => new Float32Array(numNodes * width),
  );
}
