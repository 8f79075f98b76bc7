import { div, maximum, norm, type Tensor2D, tidy } from "../backends/tf.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { type LayerwiseChunk, layerwiseInference } from "../infer/layerwise-inference.ts";
import { rankShare } from "../infer/rank-share.ts";
import type { GnnModel } from "../nn/model.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { spmmMean } from "../ops/spmm.ts";
import { inDegrees } from "../sampling/with-degrees.ts";
import { agreeToContinue } from "../train/agreement.ts";
import type { SharedRows } from "../train/shared-rows.ts";
import { RandomSigns } from "./random-signs.ts";
import { type StructuralOptions, structuralDim } from "./structural-options.ts";

export interface StructuralParts {
  readonly graph: CscGraph;
  /** The graph's own features; their columns come first */
  readonly features: FeatureStore;
  readonly rank: RankContext;
  /** float32 [numNodes · columns], the same memory for every rank */
  readonly sharedRows: SharedRows;
  readonly seed: number;
  readonly signal: AbortSignal;
}

const chunkRows = 4096;

/**
 * Appends what the edges say of each node:
 *   log(1 + in-degree), then for hop k = 1 … K the row P_k[v] / ‖P_k[v]‖ with
 *   P_0 = random signs [N, dim],  P_k = D⁻¹ A P_{k−1} / row norms
 * Nodes with overlapping k-hop neighbourhoods get similar rows, since random projection keeps inner products (Johnson and
 * Lindenstrauss 1984); the hops side by side are FastRP's without its fixed weights (Chen et al. 2019, arXiv:1908.11512).
 * The signs are a function of (seed, GlobalId). Transductive: every edge of the graph is looked at.
 *
 * @throws GnnError SPEC_INVALID beside sparse features; CANCELLED on every rank
 */
export async function withStructuralFeatures(
  parts: StructuralParts,
  options: StructuralOptions,
): Promise<DenseFeatureStore> {
  const { graph, features, rank, sharedRows, seed, signal } = parts;
  if (features.kind !== "dense") throw besideSparse();
  const { dim, hops } = options;
  const width = features.dim + structuralDim(options);
  const all = sharedRows("structural", graph.numNodes * width);
  await fillOwn(parts, all, width);
  const firstColumn = features.dim + 1;
  const copy = ({ layer, firstNode, rows }: LayerwiseChunk) => {
    for (let row = 0; row * dim < rows.length; row++) {
      all.set(rows.subarray(row * dim, (row + 1) * dim), (firstNode + row) * width + firstColumn + layer * dim);
    }
  };
  await layerwiseInference({
    model: walkOf(dim, hops),
    graph,
    features: new RandomSigns(graph.numNodes, dim, seed),
    rank,
    signal,
    outputOf: (hop) => (hop === hops - 1 ? null : sharedRows(`structural-${hop}`, graph.numNodes * dim)),
    onChunk: copy,
  });
  return new DenseFeatureStore(width, [all]);
}

/** The graph's own features and the degree, for this rank's share of the nodes */
async function fillOwn(
  { graph, features, rank, signal }: StructuralParts,
  all: Float32Array,
  width: number,
): Promise<void> {
  const { first, count } = rankShare(graph.numNodes, rank);
  for (let done = 0; done < count && !signal.aborted; done += chunkRows) {
    const size = Math.min(chunkRows, count - done);
    const ids = Int32Array.from({ length: size }, (_, i) => first + done + i);
    const degrees = await inDegrees(graph, ids);
    const { values } = await features.gatherAsync(ids);
    for (const [row, node] of ids.entries()) {
      all.set(values.subarray(row * features.dim, (row + 1) * features.dim), node * width);
      all[node * width + features.dim] = Math.log1p(degrees[row] as number);
    }
  }
  await agreeToContinue(rank.collective, signal);
}

/** One hop after the other: the mean over the in-neighbours, rows brought to length 1. */
function walkOf(dim: number, hops: number): GnnModel {
  const hop: GnnModel["layers"][number] = {
    outDim: dim,
    forward: (block, x) =>
      tidy(() => {
        const mean = spmmMean(block, "kind" in x ? featuresToTensor(x) : x);
        return div<Tensor2D>(mean, maximum(norm(mean, "euclidean", 1, true), 1e-12));
      }),
  };
  return {
    layers: Array.from({ length: hops }, () => hop),
    variables: [],
    usesNeighbors: true,
    dispose: () => {},
  };
}

function besideSparse(): GnnError {
  const pointer = "/features/structural";
  const message = `${pointer}: structural features can stand beside dense features only, and those of the dataset are sparse.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
