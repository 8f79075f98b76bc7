import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { loadAddon } from "../backends/native/addon.ts";
import { add, div, mul, sqrt, square, sub, type Tensor } from "../backends/tf.ts";
import type { NamedVariable } from "../nn/variables.ts";
import { Optimizer, type Update, type UpdateRule } from "./optimizer.ts";

export interface AdamOptions {
  readonly lr: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** Adam: L2, added to the gradient as weightDecay·w. AdamW: shrinks the weights by the factor 1 − lr·weightDecay. */
  readonly weightDecay?: number;
}

const defaults = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 };

/**
 * Adam.
 *   g ← g + λw;  m ← β₁m + (1−β₁)g;  v ← β₂v + (1−β₂)g²;  w ← w − lr·m̂ / (√v̂ + ε),  m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ)
 * Kingma and Ba 2015 (arXiv:1412.6980), Algorithm 1; weight decay as torch.optim.Adam.
 */
export class Adam extends Optimizer {
  constructor(variables: readonly NamedVariable[], options: AdamOptions) {
    super(variables, adamRule("Adam", { ...defaults, ...options }, false));
  }
}

/**
 * Adam with decoupled weight decay.
 *   w ← w − lr·λw, then Adam's update with λ = 0
 * Loshchilov and Hutter 2019 (arXiv:1711.05101), Algorithm 2, with the decay times lr as in torch.optim.AdamW.
 */
export class AdamW extends Optimizer {
  constructor(variables: readonly NamedVariable[], options: AdamOptions) {
    super(variables, adamRule("AdamW", { ...defaults, ...options }, true));
  }
}

function adamRule(name: string, options: Required<AdamOptions>, isDecoupled: boolean): UpdateRule {
  const { beta1, beta2, epsilon, weightDecay } = options;
  return {
    name,
    lr: options.lr,
    slots: ["momentum", "variance"],
    native: ({ parameter, slots: [momentum, variance], gradient, lr, step }) => {
      const addon = loadAddon();
      const kernel = isDecoupled ? addon.adamw : addon.adam;
      const m = momentum as Float32Array;
      const v = variance as Float32Array;
      kernel(parameter, m, v, gradient, lr, beta1, beta2, epsilon, weightDecay, step);
    },
    onDevice: ({ addon, parameter, gradient, scale, slots, lr, step }) => {
      const [momentum, variance] = slots as [FloatsHandle, FloatsHandle];
      const kernel = isDecoupled ? "updateAdamw" : "updateAdam";
      addon[kernel](parameter, gradient, scale, momentum, variance, lr, beta1, beta2, epsilon, weightDecay, step);
    },
    composed: ({ parameter, slots, gradient, lr, step }: Update<Tensor>) => {
      const [momentum, variance] = slots as [Tensor, Tensor];
      const g = isDecoupled ? gradient : add(gradient, mul(parameter, weightDecay));
      const m = add(mul(momentum, beta1), mul(g, 1 - beta1));
      const v = add(mul(variance, beta2), mul(square(g), 1 - beta2));
      const root = add(sqrt(div(v, 1 - beta2 ** step)), epsilon);
      const update = div(mul(div(m, 1 - beta1 ** step), lr), root);
      const kept = isDecoupled ? mul(parameter, 1 - lr * weightDecay) : parameter;
      return { parameter: sub(kept, update), slots: [m, v] };
    },
  };
}
