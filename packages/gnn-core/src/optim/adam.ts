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
import type { NamedVariable } from "../nn/variables.ts";
import { countParameters } from "./flat-gradients.ts";

export interface AdamOptions {
  readonly lr: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** L2: added to the gradient as weightDecay·w, as in PyTorch's Adam (not AdamW). */
  readonly weightDecay?: number;
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
  readonly #numParameters: number;
  #step = 0;

  constructor(variables: readonly NamedVariable[], options: AdamOptions) {
    this.#variables = variables;
    this.#options = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, ...options };
    this.#moments = variables.map(({ variable }) => ({
      momentum: new Float32Array(variable.size),
      variance: new Float32Array(variable.size),
    }));
    this.#numParameters = countParameters(variables);
  }

  /** Updates made so far; the t of the bias correction. */
  get step(): number {
    return this.#step;
  }

  /**
   * One update of every variable.
   *
   * @param gradient  float32, flat in the order of the variables (`flattenGradients`); may be longer
   * @throws GnnError SHAPE_MISMATCH when it is shorter
   */
  applyGradients(gradient: Float32Array): void {
    if (gradient.length < this.#numParameters) {
      throw new GnnError(
        "SHAPE_MISMATCH",
        `Adam: the gradient has ${gradient.length} values; expected at least ${this.#numParameters}.`,
      );
    }
    this.#step++;
    const update = getBackend() === "native" ? updateNatively : updateComposed;
    let offset = 0;
    for (const [i, { variable }] of this.#variables.entries()) {
      const part = gradient.subarray(offset, offset + variable.size);
      update(variable, this.#moments[i] as Moments, part, this.#options, this.#step);
      offset += variable.size;
    }
  }

  /** Copies of the state by name: `<variable>.momentum`, `<variable>.variance`, and `step` [1]. */
  exportState(): Record<string, Float32Array> {
    const state: Record<string, Float32Array> = { step: Float32Array.of(this.#step) };
    for (const [i, { name }] of this.#variables.entries()) {
      const { momentum, variance } = this.#moments[i] as Moments;
      state[`${name}.momentum`] = momentum.slice();
      state[`${name}.variance`] = variance.slice();
    }
    return state;
  }

  /**
   * Continues from `exportState()`.
   *
   * @throws GnnError CHECKPOINT_INVALID naming the array that is missing or has another size
   */
  importState(state: Readonly<Record<string, Float32Array>>): void {
    const step = stateArray(state, "step", 1)[0] as number;
    const saved = this.#variables.map(({ name, variable: { size } }) => ({
      momentum: stateArray(state, `${name}.momentum`, size),
      variance: stateArray(state, `${name}.variance`, size),
    }));
    for (const [i, { momentum, variance }] of this.#moments.entries()) {
      momentum.set((saved[i] as Moments).momentum);
      variance.set((saved[i] as Moments).variance);
    }
    this.#step = step;
  }
}

function stateArray(state: Readonly<Record<string, Float32Array>>, name: string, length: number): Float32Array {
  const values = state[name];
  if (values?.length === length) return values;
  throw new GnnError(
    "CHECKPOINT_INVALID",
    `The optimizer state ${name} has ${values?.length ?? "no"} values; expected ${length}.`,
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
