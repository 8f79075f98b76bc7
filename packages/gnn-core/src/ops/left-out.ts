import { tensorFloats } from "../backends/tensor-floats.ts";
import { customGrad, type Tensor, type Tensor2D, tensor2d } from "../backends/tf.ts";
import type { SharedSoftmaxAttrs } from "./shared-softmax.ts";

/** What a score is that is none: no exponential, hinge or logistic function of it is above 0 */
const farBelow = -1e9;

/** Scores [n, m] of which some columns of each row are far below all others. No gradient goes to these from a loss. */
export function leftOut(scores: Tensor2D, { starts, left }: SharedSoftmaxAttrs): Tensor2D {
  if (left.length === 0) return scores;
  const [numRows, numColumns] = scores.shape;
  const constant = customGrad((given) => {
    const values = tensorFloats(given as Tensor2D).slice();
    for (let row = 0; row < numRows; row++) {
      for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
        values[row * numColumns + (left[at] as number)] = farBelow;
      }
    }
    return { value: tensor2d(values, scores.shape), gradFunc: (dy: Tensor) => dy };
  });
  return constant(scores) as Tensor2D;
}
