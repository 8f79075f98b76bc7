import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { loadAddon } from "../backends/native/addon.ts";
import { add, div, mul, sqrt, square, sub, type Tensor } from "../backends/tf.ts";
import type { NamedVariable } from "../nn/variables.ts";
import { Optimizer, type UpdateRule } from "./optimizer.ts";

export interface AdagradOptions {
  readonly lr: number;
  readonly epsilon?: number;
  /** L2: added to the gradient as weightDecay·w */
  readonly weightDecay?: number;
}

/**
 * Adagrad with a diagonal matrix.
 *   g ← g + λw;  s ← s + g²;  w ← w − lr·g / (√s + ε)
 * Duchi, Hazan and Singer 2011 (JMLR 12), in the form of torch.optim.Adagrad without learning-rate decay.
 */
export class Adagrad extends Optimizer {
  constructor(variables: readonly NamedVariable[], options: AdagradOptions) {
    super(variables, adagradRule({ epsilon: 1e-10, weightDecay: 0, ...options }));
  }
}

function adagradRule({ lr: initialLr, epsilon, weightDecay }: Required<AdagradOptions>): UpdateRule {
  return {
    name: "Adagrad",
    lr: initialLr,
    slots: ["squares"],
    native: ({ parameter, slots: [squares], gradient, lr }) =>
      loadAddon().adagrad(parameter, squares as Float32Array, gradient, lr, epsilon, weightDecay),
    onDevice: ({ addon, parameter, gradient, scale, slots: [squares], lr }) =>
      addon.updateAdagrad(parameter, gradient, scale, squares as FloatsHandle, lr, epsilon, weightDecay),
    composed: ({ parameter, slots: [squares], gradient, lr }) => {
      const g = add(gradient, mul(parameter, weightDecay));
      const s = add(squares as Tensor, square(g));
      return { parameter: sub(parameter, div(mul(g, lr), add(sqrt(s), epsilon))), slots: [s] };
    },
  };
}
