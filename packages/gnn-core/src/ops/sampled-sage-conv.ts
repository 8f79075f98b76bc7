import { slice, type Tensor2D, tidy } from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "./add-activate.ts";
import { aggregatesFirst } from "./aggregate-order.ts";
import { featuresToTensor } from "./features-to-tensor.ts";
import { type FusedActivation, linear } from "./linear.ts";
import { project } from "./project.ts";
import type { SageWeights } from "./sage-conv.ts";
import { spmmMean } from "./spmm.ts";

/**
 * `sageConv` on a block with importance weights or message factors: the mean is a weighted sum, so layer and mean are
 * not fused.
 *   h_v = act(W_self·x_v + W_neigh·Σ_e mean[e]·x_u + b)
 *
 * @returns float32 [numDst, outDim], owned by the caller
 */
export function sampledSageConv(
  block: Block,
  x: FeatureRows | Tensor2D,
  { weightSelf, weightNeigh, bias }: SageWeights,
  activation: FusedActivation,
): Tensor2D {
  return tidy(() => {
    const rows = "kind" in x && x.kind !== "csr" ? featuresToTensor(x) : x;
    const own = linear(firstRows(rows, block.numDst), { weight: weightSelf, bias }, "none");
    // Its gradient looks at the signs of what it gives, as that of the fused layer does: rows may be dropped in place.
    return addActivate(own, neighbours(block, rows, weightNeigh), activation);
  });
}

/** mean(x)·W, or mean(x·W) where that sums narrower rows; CSR rows are never densified. */
function neighbours(block: Block, x: FeatureRows | Tensor2D, weight: Tensor2D): Tensor2D {
  const [inDim, outDim] = weight.shape;
  if ("kind" in x || !aggregatesFirst(block, inDim, outDim)) return spmmMean(block, project(x, weight));
  return project(spmmMean(block, x), weight);
}

function firstRows(x: FeatureRows | Tensor2D, numRows: number): FeatureRows | Tensor2D {
  if (!("kind" in x)) return slice(x, [0, 0], [numRows, x.shape[1]]);
  if (x.kind !== "csr") return featuresToTensor(x);
  const indptr = x.indptr.subarray(0, numRows + 1);
  const numValues = indptr[numRows] as number;
  const indices = x.indices.subarray(0, numValues);
  const values = x.values.subarray(0, numValues);
  return { ...x, numRows, indptr, indices, values };
}
