import {
  customGrad,
  type GradSaveFunc,
  mul,
  step,
  leakyRelu as stock,
  type Tensor,
  type Tensor2D,
} from "../backends/tf.ts";

/**
 * x above 0, slope·x below. The gradient of tfjs' own op selects by a boolean tensor, which no device of ours holds;
 * this one multiplies by 1 and the slope, which gives the same numbers.
 *
 * @param x  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 */
export function leakyRelu(x: Tensor2D, slope = 0.2): Tensor2D {
  const withGradient = customGrad((...given: (Tensor | GradSaveFunc)[]) => {
    const [input, save] = given as [Tensor2D, GradSaveFunc];
    save([input]);
    return {
      value: stock(input, slope),
      gradFunc: (dy: Tensor2D, saved: Tensor[]) => mul<Tensor2D>(dy, step(saved[0] as Tensor, slope)),
    };
  });
  return withGradient(x);
}
