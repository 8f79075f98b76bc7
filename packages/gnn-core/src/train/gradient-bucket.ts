import { type BatchSums, noBatchSums } from "../tasks/batch-sums.ts";

/** What rides behind the gradient in the same all-reduce, one float32 each. */
const tail = ["lossSum", "weightSum", "hits", "trials", "stop"] as const;
type TailName = (typeof tail)[number];

export interface NamedShape {
  readonly name: string;
  readonly shape: readonly number[];
}

/**
 * One flat float32 buffer per step: the gradient of every variable, in order, and the sums and flags that all ranks
 * must agree on. One all-reduce of it makes every value that a branch may look at the same on every rank.
 *
 *   [ layers.0.weightSelf … layers.1.bias | lossSum weightSum hits trials stop ]
 */
export class GradientBucket {
  readonly values: Float32Array;
  /** The part of `values` that holds gradients. */
  readonly gradient: Float32Array;
  readonly #slots: readonly { name: string; values: Float32Array }[];

  constructor(variables: readonly NamedShape[]) {
    const sizes = variables.map(({ shape }) => shape.reduce((product, length) => product * length, 1));
    const numParameters = sizes.reduce((sum, size) => sum + size, 0);
    this.values = new Float32Array(numParameters + tail.length);
    this.gradient = this.values.subarray(0, numParameters);
    let offset = 0;
    this.#slots = variables.map(({ name }, i) => {
      const start = offset;
      offset += sizes[i] as number;
      return { name, values: this.values.subarray(start, offset) };
    });
  }

  zero(): void {
    this.values.fill(0);
  }

  /** The gradient of one variable: written before the reduction, read by the optimizer after it. */
  slot(index: number): Float32Array {
    return (this.#slots[index] as { values: Float32Array }).values;
  }

  get sums(): BatchSums {
    return {
      lossSum: this.#get("lossSum"),
      weightSum: this.#get("weightSum"),
      hits: this.#get("hits"),
      trials: this.#get("trials"),
    };
  }

  set sums(sums: BatchSums) {
    for (const name of ["lossSum", "weightSum", "hits", "trials"] as const) this.#set(name, sums[name]);
  }

  /** True on every rank after the reduction once one rank asked for it. */
  get isStopRequested(): boolean {
    return this.#get("stop") > 0;
  }

  requestStop(): void {
    this.#set("stop", 1);
  }

  /** gradient /= Σ weight: the gradient of the mean loss over the global batch; of nothing it is 0. */
  divide(): void {
    const weight = this.#get("weightSum");
    if (weight !== 0) this.#scale(1 / weight);
  }

  /** Euclidean norm of the whole gradient; NaN or infinite as soon as one entry is. */
  norm(): number {
    let sum = 0;
    for (let i = 0; i < this.gradient.length; i++) sum += (this.gradient[i] as number) ** 2;
    return Math.sqrt(sum);
  }

  /** Scales the gradient down to `maxNorm` when it is longer (Pascanu et al. 2013, arXiv:1211.5063). */
  clip(norm: number, maxNorm: number): void {
    if (norm > maxNorm) this.#scale(maxNorm / norm);
  }

  /** The first thing that is NaN or infinite: a variable's gradient, else the loss; null when all is finite. */
  firstNonFinite(): string | null {
    const slot = this.#slots.find(({ values }) => !values.every(Number.isFinite));
    if (slot) return `the gradient of ${slot.name}`;
    return Number.isFinite(this.#get("lossSum")) ? null : "the loss";
  }

  /** Sums of steps that nobody has been told of: none, as each step returns its own. */
  async pendingSums(): Promise<BatchSums> {
    return noBatchSums;
  }

  dispose(): void {
    // Its memory is JavaScript's.
  }

  #scale(factor: number): void {
    for (let i = 0; i < this.gradient.length; i++) this.gradient[i] = (this.gradient[i] as number) * factor;
  }

  #get(name: TailName): number {
    return this.values[this.gradient.length + tail.indexOf(name)] as number;
  }

  #set(name: TailName, value: number): void {
    this.values[this.gradient.length + tail.indexOf(name)] = value;
  }
}
