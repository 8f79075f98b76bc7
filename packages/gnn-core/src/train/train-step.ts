import { tidy, variableGrads } from "../backends/tf.ts";
import type { Collective } from "../dist/collective.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { ForwardContext, GnnModel } from "../nn/model.ts";
import { crossEntropySum } from "../ops/cross-entropy.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import type { MiniBatch } from "../sampling/mini-batch.ts";
import { cancelled } from "./agreement.ts";
import { type ForwardPass, layersInOrder } from "./forward-pass.ts";
import type { GradientBucket } from "./gradient-bucket.ts";
import { type ClassificationSums, countCorrect } from "./metrics.ts";
import type { StepClock } from "./step-clock.ts";

/** This rank's share of one global batch, of a graph with features and labels; a rank may have no seed in it. */
export interface TrainBatch extends MiniBatch {
  readonly features: FeatureRows;
  readonly labels: Int32Array;
}

export interface TrainStepParts {
  readonly model: GnnModel;
  /** Default: the model's layers in order */
  readonly pass?: Pick<ForwardPass, "forward" | "endStep">;
  readonly bucket: GradientBucket;
  readonly collective: Collective;
  readonly optimizer: Optimizer;
  /** float32 [numClasses] */
  readonly classWeights: Float32Array;
  /** Learning rate of the step; left out: that of the optimizer's options */
  readonly lr?: number;
  readonly gradClipNorm: number | null;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
}

/**
 * One step of synchronous data parallelism. Every rank sums loss and gradient over its own seeds; one all-reduce adds
 * them up; the division by the global weight comes after it, so k ranks compute what one rank would (decision 0006).
 * Every branch below the reduction looks at reduced values only: ranks cannot part ways.
 *
 * @returns sums over the global batch
 * @throws GnnError CANCELLED when any rank was told to stop; TRAIN_DIVERGED naming the first tensor that is not finite
 */
export async function trainStep(
  parts: TrainStepParts,
  batch: TrainBatch,
  context: ForwardContext,
): Promise<ClassificationSums> {
  const { bucket, clock } = parts;
  bucket.zero();
  if (parts.signal.aborted) bucket.requestStop();
  if (batch.seeds.length > 0) forwardBackward(parts, batch, context);
  await parts.collective.allReduceSum(bucket.values);
  clock.lap("allReduce");
  if (bucket.isStopRequested) throw cancelled();
  assertFinite(bucket, context);
  await parts.pass?.endStep?.();
  bucket.divide();
  if (parts.gradClipNorm !== null) bucket.clip(bucket.norm(), parts.gradClipNorm);
  parts.optimizer.step(bucket, parts.lr);
  clock.lap("optimizer");
  return bucket.sums;
}

function forwardBackward(
  { model, pass = layersInOrder(model), bucket, classWeights, clock }: TrainStepParts,
  batch: TrainBatch,
  context: ForwardContext,
): void {
  const weights = Float32Array.from(batch.labels, (label) => classWeights[label] as number);
  tidy(() => {
    let correct = 0;
    const { value, grads } = variableGrads(
      () => {
        const logits = pass.forward(batch, context);
        correct = countCorrect(logits.dataSync<"float32">(), batch.labels, classWeights.length);
        const loss = crossEntropySum(logits, batch.labels, weights);
        clock.lap("forward");
        return loss;
      },
      model.variables.map(({ variable }) => variable),
    );
    for (const [i, { variable }] of model.variables.entries()) {
      const gradient = grads[variable.name]; // absent when the loss does not depend on the variable
      if (gradient) bucket.slot(i).set(gradient.dataSync<"float32">());
    }
    const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
    bucket.sums = { lossSum: value.dataSync<"float32">()[0] as number, weightSum, correct, count: batch.seeds.length };
  });
  clock.lap("backward");
}

function assertFinite(bucket: GradientBucket, { epoch, step }: ForwardContext): void {
  // One bad entry anywhere makes the norm bad; only then is it worth looking for the culprit.
  if (Number.isFinite(bucket.norm()) && Number.isFinite(bucket.sums.lossSum)) return;
  throw new GnnError(
    "TRAIN_DIVERGED",
    `In epoch ${epoch}, step ${step}, ${bucket.firstNonFinite()} is not a finite number; lower the learning rate, set gradClipNorm, or look for NaN among the features.`,
  );
}
