import { DenseFeatureStore } from "../../../src/features/dense-feature-store.ts";
import type { CscGraph } from "../../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../../src/graph/graph-from-edges.ts";
import type { ClassificationData } from "../../../src/graph/training-data.ts";

export interface CommunityOptions {
  readonly numNodes: number;
  readonly numClasses: number;
  readonly dim: number;
  /** Nodes of the training split; the rest is val and test by turns */
  readonly numTrain: number;
  readonly degree?: number;
  /** Parts the graph is cut into, so that several ranks have their own */
  readonly numParts?: number;
}

/**
 * A graph whose nodes link mostly inside their class, and whose features lean towards it: learnable, and always the
 * same.
 */
export async function communityData(options: CommunityOptions): Promise<ClassificationData> {
  const { numNodes, numClasses, dim, numTrain, degree = 6, numParts = 1 } = options;
  const random = lcg(7);
  const labels = Int32Array.from({ length: numNodes }, (_, node) => node % numClasses);
  const src: number[] = [];
  const dst: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    for (let i = 0; i < degree; i++) {
      const isInside = random() < 0.8;
      const other = Math.floor(random() * numNodes);
      src.push(isInside ? Math.min(numNodes - 1, other - (other % numClasses) + (node % numClasses)) : other);
      dst.push(node);
    }
  }
  const features = Float32Array.from({ length: numNodes * dim }, (_, i) => {
    const label = labels[Math.floor(i / dim)] as number;
    return random() - 0.5 + (i % dim === label % dim ? 0.5 : 0);
  });
  // 1 train, 2 val, 3 test; training nodes are spread over all GlobalIds
  const split = Int8Array.from({ length: numNodes }, (_, node) => {
    const isTrain = Math.floor((node * numTrain) / numNodes) !== Math.floor(((node + 1) * numTrain) / numNodes);
    return isTrain ? 1 : 2 + (node % 2);
  });
  const graph = await graphFromEdges({ src, dst, numNodes, selfLoops: "drop" });
  return {
    graph: cut(graph, numParts),
    features: new DenseFeatureStore(dim, [features]),
    labels,
    split,
    numClasses,
  };
}

/** Cuts the graph into `numParts` parts of (nearly) equally many nodes. */
function cut(graph: CscGraph, numParts: number): CscGraph {
  const [whole] = graph.parts;
  if (!whole) return graph;
  const parts = Array.from({ length: numParts }, (_, part) => {
    const first = Math.floor((part * graph.numNodes) / numParts);
    const end = Math.floor(((part + 1) * graph.numNodes) / numParts);
    const start = whole.indptr[first] ?? 0n;
    return {
      firstNode: first,
      numNodes: end - first,
      indptr: whole.indptr.slice(first, end + 1).map((offset) => offset - start),
      indices: whole.indices.slice(Number(start), Number(whole.indptr[end])),
      weights: null,
    };
  });
  return { ...graph, parts };
}

/** Numerical Recipes' 32-bit generator. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
