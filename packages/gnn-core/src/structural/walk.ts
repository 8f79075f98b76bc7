import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { SharedRows } from "../dist/shared-rows.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { GnnModel } from "../nn/model.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { spmmMean } from "../ops/spmm.ts";

export interface WalkParts {
  readonly graph: CscGraph;
  readonly rank: RankContext;
  /** float32 [numNodes · columns], the same memory for every rank */
  readonly sharedRows: SharedRows;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Takes the columns of consecutive nodes, float32 [count, dim]; `hop` counts from 0. */
export type TakeRows = (firstNode: number, rows: Float32Array, hop: number) => void;

/** A model of means over the in-neighbours, D⁻¹ A x, hop after hop; each hop's rows go through `after`. */
export function walkOf(dim: number, hops: number, after: (mean: Tensor2D) => Tensor2D = (mean) => mean): GnnModel {
  const hop: GnnModel["layers"][number] = {
    outDim: dim,
    forward: (block, x) => tidy(() => after(spmmMean(block, "kind" in x ? featuresToTensor(x) : x))),
  };
  return {
    layers: Array.from({ length: hops }, () => hop),
    variables: [],
    usesNeighbors: true,
    dispose: () => {},
  };
}
