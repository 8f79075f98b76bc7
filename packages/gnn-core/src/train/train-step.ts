import { tidy, variableGrads } from "../backends/tf.ts";
import type { Collective } from "../dist/collective.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { ForwardContext, GnnModel } from "../nn/model.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import type { MiniBatch } from "../sampling/mini-batch.ts";
import type { BatchSums } from "../tasks/batch-sums.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import { cancelled } from "./agreement.ts";
import { batchNormStep, hasBatchNorm } from "./batch-norm-step.ts";
import { assertFinite } from "./divergence.ts";
import { type ForwardPass, layersInOrder } from "./forward-pass.ts";
import type { GradientBucket } from "./gradient-bucket.ts";
import { points } from "./points.ts";
import type { StepClock } from "./step-clock.ts";

/** This rank's share of one global batch, of a graph with features; a rank may have no seed in it. */
export interface TrainBatch extends MiniBatch {
  readonly features: FeatureRows;
}

export interface TrainStepParts {
  readonly model: GnnModel;
  /** Default: the model's layers in order */
  readonly pass?: Pick<ForwardPass, "forward" | "endStep">;
  readonly bucket: GradientBucket;
  readonly collective: Collective;
  readonly optimizer: Optimizer;
  readonly task: TaskLoss;
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
export async function trainStep(parts: TrainStepParts, batch: TrainBatch, context: ForwardContext): Promise<BatchSums> {
  const { bucket, clock } = parts;
  bucket.zero();
  if (parts.signal.aborted) bucket.requestStop();
  if (hasBatchNorm(parts.model)) await forwardBackwardInSegments(parts, batch, context);
  else if (batch.seeds.length > 0) forwardBackward(parts, batch, context);
  points.allReduce.publish({ epoch: context.epoch, step: context.step });
  await parts.collective.allReduceSum(bucket.values);
  clock.lap("allReduce");
  if (bucket.isStopRequested) throw cancelled();
  await assertFinite(parts, batch, context);
  await parts.pass?.endStep?.();
  bucket.divide();
  if (parts.gradClipNorm !== null) bucket.clip(bucket.norm(), parts.gradClipNorm);
  parts.optimizer.step(bucket, parts.lr);
  clock.lap("optimizer");
  return bucket.sums;
}

function forwardBackward(
  { model, pass = layersInOrder(model), bucket, task, clock }: TrainStepParts,
  batch: TrainBatch,
  context: ForwardContext,
): void {
  const { seeds } = batch;
  tidy(() => {
    let counted = { weightSum: 0, hits: 0, trials: 0 };
    const { value, grads } = variableGrads(
      () => {
        const outputs = pass.forward(batch, context);
        counted = task.count(outputs.dataSync<"float32">(), seeds);
        const loss = task.lossSum(outputs, seeds);
        clock.lap("forward");
        return loss;
      },
      model.variables.map(({ variable }) => variable),
    );
    for (const [i, { variable }] of model.variables.entries()) {
      const gradient = grads[variable.name]; // absent when the loss does not depend on the variable
      if (gradient) bucket.slot(i).set(gradient.dataSync<"float32">());
    }
    bucket.sums = { lossSum: value.dataSync<"float32">()[0] as number, ...counted };
  });
  clock.lap("backward");
}

/** The same for models whose layers need statistics of the whole batch: with all ranks, seeds or not. */
async function forwardBackwardInSegments(
  { model, bucket, collective, task, clock }: TrainStepParts,
  batch: TrainBatch,
  context: ForwardContext,
): Promise<void> {
  const { seeds } = batch;
  let counted = { weightSum: 0, hits: 0, trials: 0 };
  const lossSum = await batchNormStep(
    {
      model,
      collective,
      lossSum: (outputs) => {
        counted = task.count(outputs.dataSync<"float32">(), seeds);
        clock.lap("forward");
        return task.lossSum(outputs, seeds);
      },
      addGradient: (i, part) => {
        const slot = bucket.slot(i);
        for (const [at, value] of part.entries()) slot[at] = (slot[at] as number) + value;
      },
    },
    batch,
    context,
  );
  bucket.sums = { lossSum, ...counted };
  clock.lap("backward");
}
