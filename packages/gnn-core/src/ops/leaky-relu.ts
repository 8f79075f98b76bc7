import {
  customGrad,
  type GradSaveFunc,
  mul,
  step,
  leakyRelu as stock,
  type Tensor,
  type Tensor2D,
} from "../backends/tf.ts";

const slope = 0.2;

/**
 * x above 0, 0.2·x below. The gradient of tfjs' own op selects by a boolean tensor, which no device of ours holds; this
 * one multiplies by 1 and 0.2, which gives the same numbers.
 *
 * @param x  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 */
export const leakyRelu: (x: Tensor2D) => Tensor2D = customGrad((...given: (Tensor | GradSaveFunc)[]) => {
  const [x, save] = given as [Tensor2D, GradSaveFunc];
  save([x]);
  return {
    value: stock(x, slope),
    gradFunc: (dy: Tensor2D, saved: Tensor[]) => mul<Tensor2D>(dy, step(saved[0] as Tensor, slope)),
  };
});
