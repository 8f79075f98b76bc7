import { add, reshape, type Tensor2D, tensor2d } from "../backends/tf.ts";
import { scatterRows } from "./scatter-rows.ts";
import type { SharedSoftmaxAttrs } from "./shared-softmax.ts";

/** How far below all others a score is that is none: no exponential, hinge or logistic function of it is above 0. */
const farBelow = -1e9;

/**
 * Scores [n, m] of which some columns of each row are far below all others. No gradient goes to these from a loss. To
 * be called inside `tidy`. The scores are not read by the host.
 */
export function leftOut(scores: Tensor2D, { starts, left }: SharedSoftmaxAttrs): Tensor2D {
  if (left.length === 0) return scores;
  const [numRows, numColumns] = scores.shape;
  const cells = new Int32Array(left.length);
  for (let row = 0; row < numRows; row++) {
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      cells[at] = row * numColumns + (left[at] as number);
    }
  }
  const depths = tensor2d(new Float32Array(left.length).fill(farBelow), [left.length, 1]);
  return add<Tensor2D>(scores, reshape(scatterRows(depths, cells, numRows * numColumns), scores.shape));
}
