import { type Tensor2D, tensor1d, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { batchNorm, type ColumnStatistics } from "../ops/batch-norm.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { composeColumnMoments } from "../ops/column-moments.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { l2Normalize } from "../ops/l2-normalize.ts";
import { layerNorm } from "../ops/layer-norm.ts";
import { project } from "../ops/project.ts";
import { firstRows } from "./first-rows.ts";
import type { GeneralOptions, ParametricLayer } from "./index.ts";
import type { BatchNormCut, ForwardContext, LayerInput } from "./model.ts";
import { filled, glorotUniform, type NamedVariable, zeros } from "./variables.ts";

/**
 * A layer with what may follow its convolution:
 *   z = conv(x), its activation left out;  h_v = act(norm(z)_v + skip(x)_v), then h_v / ‖h_v‖₂ if asked for
 *   norm  none | layer (Ba et al. 2016, arXiv:1607.06450) | batch (Ioffe and Szegedy 2015, arXiv:1502.03167)
 *   skip  none | x_v, or x_v·W where the widths differ (He et al. 2016, arXiv:1512.03385); without the dropout of x
 * The order is that of You, Ying and Leskovec 2020 (arXiv:2011.08843): convolution, normalisation, activation.
 *
 * Batch statistics are counted over the seeds of the global batch, which are the first rows of every block, and are the
 * same for any number of ranks (train/batch-norm-step.ts). Called with `training` outside of a training step, over all
 * dst rows. Inference uses running averages.
 */
export function generalLayer<O extends GeneralOptions>(
  options: O,
  conv: (options: O) => ParametricLayer,
): ParametricLayer {
  const { norm, residual, l2Normalize: isNormalized } = options;
  if (norm === "none" && !residual && !isNormalized) return conv(options);
  const isConvLast = norm === "none" && !residual;
  const inner = conv(isConvLast ? options : { ...options, activation: "none" });
  const skip = residual ? skipConnection(options) : null;
  const finish = (block: Block, x: LayerInput, z: Tensor2D) => {
    const h = isConvLast ? z : activated(z, skip && skip.rows(block, x), options);
    return isNormalized ? l2Normalize(h) : h;
  };
  if (norm === "batch") return batchNormalized({ options, inner, skip, finish });
  return layerNormalized({ options, inner, skip, finish });
}

interface Parts {
  readonly options: GeneralOptions;
  readonly inner: ParametricLayer;
  readonly skip: ReturnType<typeof skipConnection> | null;
  /** Everything behind the normalisation */
  readonly finish: (block: Block, x: LayerInput, z: Tensor2D) => Tensor2D;
}

/** By rows, or not at all. */
function layerNormalized({ options, inner, skip, finish }: Parts): ParametricLayer {
  const affine = options.norm === "layer" ? scaleAndShift(options) : null;
  const own = [...(affine ? [affine.scale, affine.shift] : []), ...(skip?.variables ?? [])];
  return {
    outDim: options.outDim,
    variables: [...inner.variables, ...own],
    forward: (block, x, context) =>
      tidy(() => {
        const z = inner.forward(block, x, context);
        return finish(block, x, affine ? layerNorm(z, affine.scale.variable, affine.shift.variable) : z);
      }),
    dispose: () => disposeAll(inner, own),
  };
}

function batchNormalized({ options, inner, skip, finish }: Parts): ParametricLayer {
  const { scale, shift } = scaleAndShift(options);
  const own = [scale, shift, ...(skip?.variables ?? [])];
  const mean = zeros(`layers.${options.index}.norm.runningMean`, options.outDim);
  const variance = filled(`layers.${options.index}.norm.runningVariance`, options.outDim, 1);
  const cut: BatchNormCut = {
    dim: options.outDim,
    runningMean: mean.variable,
    runningVariance: variance.variable,
    before: (block, x, context) => inner.forward(block, x, context),
    after: (block, x, z, statistics) =>
      tidy(() => finish(block, x, batchNorm(z, statistics, scale.variable, shift.variable))),
  };
  return {
    outDim: options.outDim,
    // The batch mean takes the bias off again: its gradient is 0, and an optimizer would walk by rounding errors alone.
    variables: [...inner.variables.filter((variable) => variable !== inner.outputBias), ...own],
    buffers: [mean, variance],
    batchNorm: cut,
    forward: (block, x, context) =>
      tidy(() => {
        const z = cut.before(block, x, context);
        return cut.after(block, x, z, statisticsOf(cut, z, context), context);
      }),
    dispose: () => disposeAll(inner, [...own, mean, variance]),
  };
}

function disposeAll(inner: ParametricLayer, own: readonly NamedVariable[]): void {
  inner.dispose();
  for (const { variable } of own) variable.dispose();
}

function statisticsOf(cut: BatchNormCut, z: Tensor2D, { training }: ForwardContext): ColumnStatistics {
  if (training) return composeColumnMoments(z, z.shape[0]);
  return { mean: cut.runningMean, variance: cut.runningVariance };
}

function activated(z: Tensor2D, skip: Tensor2D | null, { activation, outDim }: GeneralOptions): Tensor2D {
  return skip ? addActivate(skip, z, activation) : biasActivate(z, tensor1d(new Float32Array(outDim)), activation);
}

function scaleAndShift({ index, outDim }: GeneralOptions) {
  return {
    scale: filled(`layers.${index}.norm.scale`, outDim, 1),
    shift: zeros(`layers.${index}.norm.shift`, outDim),
  };
}

/** x itself where it is as wide as the result; `rows` has at least the dst rows. */
function skipConnection({ index, inDim, outDim, seed }: GeneralOptions) {
  if (inDim === outDim) {
    const rows = (block: Block, x: LayerInput) =>
      "kind" in x ? featuresToTensor(firstRows("residual", x, block.numDst) as typeof x) : x;
    return { variables: [], rows };
  }
  const weight = glorotUniform(`layers.${index}.residual.weight`, inDim, outDim, seed);
  return {
    variables: [weight],
    rows: (block: Block, x: LayerInput) => project(firstRows("residual", x, block.numDst), weight.variable),
  };
}
