import { tidy } from "../backends/tf.ts";
import type { Collective } from "../dist/collective.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { ForwardContext, GnnModel } from "../nn/model.ts";
import { type ForwardPass, layersInOrder } from "./forward-pass.ts";
import type { GradientBucket } from "./gradient-bucket.ts";
import type { TrainBatch } from "./train-step.ts";

export interface DivergenceParts {
  readonly model: GnnModel;
  readonly pass?: Pick<ForwardPass, "forward">;
  readonly bucket: GradientBucket;
  readonly collective: Collective;
}

/**
 * Ends the run when the reduced gradient or loss is NaN or infinite. The step is then gone through again, so that the
 * first bad tensor is named in the order of its making: features, weights, outputs of the layers, loss, gradients.
 * Every rank decides by reduced values and finds the same.
 *
 * @throws GnnError TRAIN_DIVERGED
 */
export async function assertFinite(
  { model, pass = layersInOrder(model), bucket, collective }: DivergenceParts,
  batch: TrainBatch,
  context: ForwardContext,
): Promise<void> {
  // One bad entry anywhere makes the norm bad; only then is it worth looking for the culprit.
  if (Number.isFinite(bucket.norm()) && Number.isFinite(bucket.sums.lossSum)) return;
  const names = [
    "a feature of the input nodes",
    ...model.variables.map(({ name }) => `the weight ${name}`),
    ...model.layers.map((_, layer) => `the output of layers.${layer}`),
  ];
  const bad = badStages(model, pass, batch, context);
  await collective.allReduceSum(bad);
  const first = names[bad.findIndex((count) => count > 0)] ?? bucket.firstNonFinite();
  const { epoch, step } = context;
  throw new GnnError(
    "TRAIN_DIVERGED",
    `In epoch ${epoch}, step ${step}, ${first} is not a finite number; lower the learning rate, set gradClipNorm, or look for NaN among the features.`,
  );
}

/**
 * Metrics are reduced values: every rank ends here together.
 *
 * @throws GnnError TRAIN_DIVERGED when weights went bad in the last step, where no gradient shows it any more
 */
export function assertFiniteMetrics(metrics: Readonly<Record<string, number | null>>, epoch: number): void {
  const bad = Object.entries(metrics).find(([, value]) => value !== null && !Number.isFinite(value));
  if (!bad) return;
  throw new GnnError(
    "TRAIN_DIVERGED",
    `After epoch ${epoch}, ${bad[0]} is not a finite number; lower the learning rate, set gradClipNorm, or look for NaN among the features.`,
  );
}

/** 1 for each thing of this rank's forward pass that is not finite: features, weights, outputs. */
function badStages(
  model: GnnModel,
  pass: Pick<ForwardPass, "forward">,
  batch: TrainBatch,
  context: ForwardContext,
): Float32Array {
  const weights = model.variables.map(({ variable }) => isBad(variable.dataSync<"float32">()));
  const outputs = model.layers.map(() => false);
  const hasSeeds = batch.seeds.length > 0;
  if (hasSeeds) {
    tidy(() => {
      pass.forward(batch, context, (layer, output) => {
        outputs[layer] = isBad(output.dataSync<"float32">());
      });
    });
  }
  const features = hasSeeds && isBad(batch.features.values);
  return Float32Array.from([features, ...weights, ...outputs], Number);
}

function isBad(values: Float32Array): boolean {
  return !values.every(Number.isFinite);
}
