import {
  customGrad,
  engine,
  type Scalar,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tidy,
} from "../backends/tf.ts";
import type { Collective } from "../dist/collective.ts";
import type { Block } from "../graph/block.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { BatchNormCut, ForwardContext, GnnModel, LayerInput } from "../nn/model.ts";
import { addMomentGradient, columnSums } from "../ops/column-moments.ts";
import type { TrainBatch } from "./train-step.ts";

/** Share of the batch in the running averages; PyTorch's default. */
export const runningShare = 0.1;

export interface BatchNormStepParts {
  readonly model: GnnModel;
  readonly collective: Collective;
  /** Loss summed over this rank's seeds, from their outputs */
  readonly lossSum: (outputs: Tensor2D) => Scalar;
  /** Receives a part of the gradient of variable i; several parts add up */
  readonly addGradient: (variable: number, gradient: Float32Array) => void;
}

/** Whether the gradient of a model needs statistics of the whole batch. */
export function hasBatchNorm(model: GnnModel): boolean {
  return model.layers.some(({ batchNorm }) => batchNorm);
}

/**
 * Loss and gradient of a model with batch normalisation, its statistics counted over all ranks' seeds: k ranks compute
 * what one would. The seeds are the first rows of every block; each belongs to one rank, whereas their neighbours may
 * lie in the blocks of several.
 *
 * An all-reduce cannot happen inside of tfjs' tape, so the model is cut at each normalisation. Forward: segment by
 * segment, Σz and Σz² of the seeds' rows reduced at each cut. Backward: segment by segment from the loss, each computed
 * again on a tape of its own; at each cut the gradients by mean μ and variance σ² are reduced and go back into the rows
 * that were counted: dz_v += dμ/n + 2·dσ²·(z_v − μ)/n. Every rank takes part in every reduction, with zeros when it has
 * no seed. Ioffe and Szegedy 2015 (arXiv:1502.03167), algorithm 1.
 *
 * @returns the loss summed over this rank's seeds
 */
export async function batchNormStep(
  parts: BatchNormStepParts,
  batch: TrainBatch,
  context: ForwardContext,
): Promise<number> {
  const step = new SegmentedStep(parts, batch, context);
  try {
    await step.forward();
    return await step.backward();
  } finally {
    step.dispose();
  }
}

/** What a segment begins with: the rows before a normalisation, and the input of its layer. */
interface Cut {
  readonly layer: number;
  readonly norm: BatchNormCut;
  /** Null on a rank without seeds */
  readonly rows: { readonly z: Tensor2D; readonly x: LayerInput } | null;
  readonly mean: Float32Array;
  readonly variance: Float32Array;
  /** Rows counted, on all ranks */
  readonly count: number;
}

/** Gradient of the loss by what a segment begins with. */
interface CutGradient {
  readonly z: Tensor2D;
  /** Null where the layer reads its input before the normalisation only */
  readonly x: Tensor2D | null;
}

class SegmentedStep {
  readonly #parts: BatchNormStepParts;
  readonly #batch: TrainBatch;
  readonly #context: ForwardContext;
  readonly #alone: Block | null;
  readonly #cuts: Cut[] = [];
  readonly #owned: Tensor[] = [];

  constructor(parts: BatchNormStepParts, batch: TrainBatch, context: ForwardContext) {
    this.#parts = parts;
    this.#batch = batch;
    this.#context = context;
    this.#alone = parts.model.usesNeighbors ? null : edgelessBlock(batch.seeds);
  }

  get #numSeeds(): number {
    return this.#batch.seeds.length;
  }

  async forward(): Promise<void> {
    for (const [layer, { batchNorm: norm }] of this.#parts.model.layers.entries()) {
      if (!norm) continue;
      const rows = this.#numSeeds > 0 ? this.#rowsBefore(layer) : null;
      const statistics = await this.#statistics(norm, rows?.z ?? null);
      this.#cuts.push({ layer, norm, rows, ...statistics });
      updateRunning(norm, statistics);
    }
  }

  async backward(): Promise<number> {
    const { length } = this.#cuts;
    let loss = 0;
    let gradient: CutGradient | null = null;
    for (let segment = length; segment >= 0; segment--) {
      const from = this.#cuts[segment - 1] ?? null;
      const statistics = [new Float32Array(from?.norm.dim ?? 0), new Float32Array(from?.norm.dim ?? 0)] as const;
      if (this.#numSeeds > 0) {
        const found = this.#segmentGradient(from, segment, gradient, statistics);
        if (segment === length) loss = found.value;
        gradient = found.gradient;
      }
      if (from) gradient = await this.#throughStatistics(from, gradient, statistics);
    }
    return loss;
  }

  dispose(): void {
    for (const tensor of this.#owned) tensor.dispose();
  }

  /** z of a layer and its input, which live until the step ends. */
  #rowsBefore(layer: number): { z: Tensor2D; x: LayerInput } {
    let features: LayerInput | null = null;
    // Tensors only: tidy walks through every element of what it returns.
    const tensors = tidy(() => {
      const { z, x } = this.#toCut(this.#cuts.at(-1) ?? null, layer);
      if (!("kind" in x)) return [z, x];
      features = x;
      return [z];
    });
    this.#owned.push(...tensors);
    const [z, x] = tensors as [Tensor2D, Tensor2D?];
    return { z, x: x ?? (features as unknown as LayerInput) };
  }

  /** From one cut (null: the features) to just before the normalisation of `layer`. */
  #toCut(from: Cut | null, layer: number): { z: Tensor2D; x: LayerInput } {
    const x = this.#through(from, layer);
    const norm = this.#parts.model.layers[layer]?.batchNorm as BatchNormCut;
    return { z: norm.before(this.#block(layer), x, this.#context), x };
  }

  /** The input of layer `to`, from a cut in an earlier one. */
  #through(from: Cut | null, to: number, statistics?: { mean: Tensor1D; variance: Tensor1D }): LayerInput {
    let x: LayerInput = this.#batch.features;
    if (from?.rows) {
      const moments = statistics ?? { mean: tensor1d(from.mean), variance: tensor1d(from.variance) };
      x = from.norm.after(this.#block(from.layer), from.rows.x, from.rows.z, moments, this.#context);
    }
    for (let i = from ? from.layer + 1 : 0; i < to; i++) {
      x = (this.#parts.model.layers[i] as GnnModel["layers"][number]).forward(this.#block(i), x, this.#context);
    }
    return x;
  }

  #block(layer: number): Block {
    return this.#alone ?? (this.#batch.blocks[layer] as Block);
  }

  /** Mean and variance of the seeds' rows of all ranks. The running mean, the same everywhere, keeps the sums small. */
  async #statistics(norm: BatchNormCut, z: Tensor2D | null) {
    const { dim } = norm;
    const center = norm.runningMean.dataSync<"float32">().slice();
    const sums = new Float32Array(2 * dim + 1);
    if (z) sums.set([...columnSums(z, this.#numSeeds, center), this.#numSeeds]);
    await this.#parts.collective.allReduceSum(sums);
    const count = sums[2 * dim] as number;
    const shift = sums.subarray(0, dim).map((sum) => sum / count);
    const mean = center.map((value, d) => value + (shift[d] as number));
    const variance = sums.slice(dim, 2 * dim).map((sum, d) => Math.max(0, sum / count - (shift[d] as number) ** 2));
    return { mean, variance, count };
  }

  /** Gradients of one segment, given those by what it ends with; the last one ends with the loss. */
  #segmentGradient(
    from: Cut | null,
    segment: number,
    ahead: CutGradient | null,
    statistics: readonly [Float32Array, Float32Array],
  ): { value: number; gradient: CutGradient | null } {
    const { model, addGradient, lossSum } = this.#parts;
    const to = this.#cuts[segment];
    let value = 0;
    const kept = tidy(() => {
      const mean = tensor1d(from?.mean ?? []);
      const variance = tensor1d(from?.variance ?? []);
      const end = () => {
        const x = this.#through(from, to?.layer ?? model.layers.length, { mean, variance });
        if (!to || !ahead) return lossSum(x as Tensor2D);
        const z = to.norm.before(this.#block(to.layer), x, this.#context);
        return ahead.x && !("kind" in x) ? withGradient(z, x, ahead.x) : z;
      };
      const z = from?.rows?.z ?? null;
      const x = from?.rows && !("kind" in from.rows.x) ? from.rows.x : null;
      const variables = model.variables.map(({ variable }): Tensor => variable);
      const inputs = [...(z ? [z, mean, variance] : []), ...(x ? [x] : []), ...variables];
      const result = engine().gradients<Tensor>(end, inputs, ahead?.z, true);
      if (!to) value = result.value.dataSync<"float32">()[0] as number;
      const found: (Tensor | undefined)[] = result.grads;
      for (const [i, gradient] of found.slice(inputs.length - variables.length).entries()) {
        if (gradient) addGradient(i, gradient.dataSync<"float32">());
      }
      if (!z) return [];
      for (const [i, part] of statistics.entries()) part.set(found[1 + i]?.dataSync<"float32">() ?? []);
      return [found[0] as Tensor, ...(x && found[3] ? [found[3]] : [])];
    });
    this.#owned.push(...kept);
    const [z, x] = kept as [Tensor2D?, Tensor2D?];
    return { value, gradient: z ? { z, x: x ?? null } : null };
  }

  /** Adds what reached the seeds' rows through the statistics of all ranks. */
  async #throughStatistics(
    { norm: { dim }, rows, mean, count }: Cut,
    gradient: CutGradient | null,
    statistics: readonly [Float32Array, Float32Array],
  ): Promise<CutGradient | null> {
    const sums = Float32Array.of(...statistics[0], ...statistics[1]);
    await this.#parts.collective.allReduceSum(sums);
    if (!gradient || !rows) return null;
    const linear = sums.subarray(0, dim).map((sum) => sum / count);
    const quadratic = sums.subarray(dim).map((sum) => (2 * sum) / count);
    const z = addMomentGradient(gradient.z, rows.z, this.#numSeeds, { mean, linear, quadratic });
    this.#owned.push(z);
    return { z, x: gradient.x };
  }
}

/** z, on the tape as if the loss had this gradient by x besides what it has through z. */
function withGradient(z: Tensor2D, x: Tensor2D, ofX: Tensor2D): Tensor2D {
  const attach = customGrad((...inputs) => ({
    value: (inputs[0] as Tensor2D).clone(),
    gradFunc: (dy: Tensor) => [dy.clone(), ofX.clone()],
  }));
  return attach(z, x) as Tensor2D;
}

function updateRunning(
  { runningMean, runningVariance }: BatchNormCut,
  { mean, variance, count }: Pick<Cut, "mean" | "variance" | "count">,
): void {
  const unbiased = count > 1 ? count / (count - 1) : 1;
  tidy(() => {
    runningMean.assign(tensor1d(blend(runningMean, mean)));
    runningVariance.assign(
      tensor1d(
        blend(
          runningVariance,
          variance.map((value) => value * unbiased),
        ),
      ),
    );
  });
}

function blend(running: Tensor, value: Float32Array): Float32Array {
  return running.dataSync<"float32">().map((old, d) => (1 - runningShare) * old + runningShare * (value[d] as number));
}
