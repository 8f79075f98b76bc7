import { loadAddon } from "../backends/native/addon.ts";
import type { NativeBackend } from "../backends/native/native-backend.ts";
import {
  add,
  backend,
  div,
  getBackend,
  mul,
  reshape,
  sqrt,
  square,
  sub,
  tensor1d,
  tidy,
  type Variable,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { NamedVariable } from "../nn/variables.ts";

export interface AdamOptions {
  readonly lr: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** L2: added to the gradient as weightDecay·w, as in PyTorch's Adam (not AdamW). */
  readonly weightDecay?: number;
}

/** Where the gradient of variable i lies: float32 [its size]. */
export interface GradientSlots {
  slot(index: number): Float32Array;
}

interface Moments {
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
}

/**
 * Adam.
 *   g ← g + λw;  m ← β₁m + (1−β₁)g;  v ← β₂v + (1−β₂)g²;  w ← w − lr·m̂ / (√v̂ + ε),  m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ)
 * Kingma and Ba 2015 (arXiv:1412.6980), Algorithm 1; weight decay as torch.optim.Adam.
 *
 * On `native` one kernel updates the variables' memory in place; elsewhere stock ops do. The variables stay their
 * owner's; the moments are plain arrays.
 */
export class Adam {
  readonly #variables: readonly NamedVariable[];
  readonly #moments: readonly Moments[];
  readonly #options: Required<AdamOptions>;
  #numSteps = 0;

  constructor(variables: readonly NamedVariable[], options: AdamOptions) {
    this.#variables = variables;
    this.#options = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, ...options };
    this.#moments = variables.map(({ variable }) => ({
      momentum: new Float32Array(variable.size),
      variance: new Float32Array(variable.size),
    }));
  }

  /** Updates made so far; the t of the bias correction. */
  get numSteps(): number {
    return this.#numSteps;
  }

  /**
   * One update of every variable.
   *
   * @throws GnnError SHAPE_MISMATCH naming the variable whose gradient has another size; nothing is updated then
   */
  step(gradients: GradientSlots): void {
    const parts = this.#variables.map(({ name, variable }, i) => checkedGradient(name, variable, gradients.slot(i)));
    this.#numSteps++;
    const update = getBackend() === "native" ? updateNatively : updateComposed;
    for (const [i, { variable }] of this.#variables.entries()) {
      update(variable, this.#moments[i] as Moments, parts[i] as Float32Array, this.#options, this.#numSteps);
    }
  }

  /** Copies of the moments: `<variable>.momentum` and `<variable>.variance`, in the order of the variables. */
  state(): readonly NamedTensor[] {
    return this.#variables.flatMap(({ name, variable: { shape } }, i) => {
      const { momentum, variance } = this.#moments[i] as Moments;
      return [
        { name: `${name}.momentum`, shape, values: momentum.slice() },
        { name: `${name}.variance`, shape, values: variance.slice() },
      ];
    });
  }

  /**
   * Continues from `state()` after `numSteps` updates.
   *
   * @throws GnnError CHECKPOINT_INVALID naming the array that is missing or has another size
   */
  restore(state: Iterable<NamedTensor>, numSteps: number): void {
    const byName = new Map(Array.from(state, (tensor) => [tensor.name, tensor.values]));
    for (const [i, { name }] of this.#variables.entries()) {
      for (const [kind, values] of Object.entries(this.#moments[i] as Moments)) {
        const saved = byName.get(`${name}.${kind}`);
        if (saved?.length !== values.length) {
          throw new GnnError(
            "CHECKPOINT_INVALID",
            `${name}.${kind} has ${saved?.length ?? "no"} values; the optimizer expects ${values.length}.`,
          );
        }
        values.set(saved);
      }
    }
    this.#numSteps = numSteps;
  }
}

function checkedGradient(name: string, { size }: Variable, gradient: Float32Array): Float32Array {
  if (gradient.length === size) return gradient;
  throw new GnnError(
    "SHAPE_MISMATCH",
    `Adam: the gradient of ${name} has ${gradient.length} values; expected ${size}.`,
  );
}

type Update = (
  variable: Variable,
  moments: Moments,
  gradient: Float32Array,
  options: Required<AdamOptions>,
  step: number,
) => void;

const updateNatively: Update = (variable, { momentum, variance }, gradient, options, step) => {
  const { lr, beta1, beta2, epsilon, weightDecay } = options;
  const parameter = (backend() as NativeBackend).writableFloats(variable);
  loadAddon().adam(parameter, momentum, variance, gradient, lr, beta1, beta2, epsilon, weightDecay, step);
};

const updateComposed: Update = (variable, { momentum, variance }, gradient, options, step) => {
  const { lr, beta1, beta2, epsilon, weightDecay } = options;
  tidy(() => {
    const w = reshape(variable, [variable.size]);
    const g = add(tensor1d(gradient), mul(w, weightDecay));
    const m = add(mul(tensor1d(momentum), beta1), mul(g, 1 - beta1));
    const v = add(mul(tensor1d(variance), beta2), mul(square(g), 1 - beta2));
    const root = add(sqrt(div(v, 1 - beta2 ** step)), epsilon);
    const update = div(mul(div(m, 1 - beta1 ** step), lr), root);
    momentum.set(m.dataSync<"float32">());
    variance.set(v.dataSync<"float32">());
    variable.assign(reshape(sub(w, update), variable.shape));
  });
};
