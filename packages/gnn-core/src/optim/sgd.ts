import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { loadAddon } from "../backends/native/addon.ts";
import { add, mul, sub, type Tensor } from "../backends/tf.ts";
import type { NamedVariable } from "../nn/variables.ts";
import { Optimizer, type UpdateRule } from "./optimizer.ts";

export interface SgdOptions {
  readonly lr: number;
  readonly momentum?: number;
  /** L2: added to the gradient as weightDecay·w */
  readonly weightDecay?: number;
}

/**
 * Stochastic gradient descent with momentum.
 *   g ← g + λw;  b ← μb + g;  w ← w − lr·b
 * Polyak 1964, in the form of Sutskever et al. 2013 as torch.optim.SGD writes it (no dampening, no Nesterov step).
 */
export class Sgd extends Optimizer {
  constructor(variables: readonly NamedVariable[], options: SgdOptions) {
    super(variables, sgdRule({ momentum: 0, weightDecay: 0, ...options }));
  }
}

function sgdRule({ lr: initialLr, momentum, weightDecay }: Required<SgdOptions>): UpdateRule {
  return {
    name: "SGD",
    lr: initialLr,
    slots: ["momentumBuffer"],
    native: ({ parameter, slots: [buffer], gradient, lr }) =>
      loadAddon().sgd(parameter, buffer as Float32Array, gradient, lr, momentum, weightDecay),
    onDevice: ({ addon, parameter, gradient, scale, slots: [buffer], lr }) =>
      addon.updateSgd(parameter, gradient, scale, buffer as FloatsHandle, lr, momentum, weightDecay),
    composed: ({ parameter, slots: [buffer], gradient, lr }) => {
      const g = add(gradient, mul(parameter, weightDecay));
      const b = add(mul(buffer as Tensor, momentum), g);
      return { parameter: sub(parameter, mul(b, lr)), slots: [b] };
    },
  };
}
