import { tensorFloats } from "../backends/tensor-floats.ts";
import { type Tensor2D, tensor2d, tidy, type Variable, variable, variableGrads } from "../backends/tf.ts";
import { cancelled } from "../dist/agreement.ts";
import type { Collective } from "../dist/collective.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import { points } from "../dist/points.ts";
import type { DenseRows, FeatureRows } from "../features/feature-store.ts";
import type { ForwardContext, GnnModel } from "../nn/model.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import type { MiniBatch } from "../sampling/mini-batch.ts";
import { type BatchSums, noBatchSums } from "../tasks/batch-sums.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import { batchNormStep, hasBatchNorm } from "./batch-norm-step.ts";
import { DeviceBucket } from "./device-bucket.ts";
import { deviceTrainStep } from "./device-step.ts";
import { assertFinite } from "./divergence.ts";
import { type ForwardPass, layersInOrder } from "./forward-pass.ts";
import type { GradientBucket } from "./gradient-bucket.ts";
import type { NodeEmbedding } from "./node-embedding.ts";
import type { StepClock } from "./step-clock.ts";

/** This rank's share of one global batch, of a graph with features; a rank may have no seed in it. */
export interface TrainBatch extends MiniBatch {
  readonly features: FeatureRows;
  /** The rows on the tape, when their gradient is wanted: taken instead of `features` */
  readonly input?: Tensor2D;
}

export interface TrainStepParts {
  readonly model: GnnModel;
  /** Default: the model's layers in order */
  readonly pass?: Pick<ForwardPass, "forward" | "prepare" | "endStep">;
  readonly bucket: GradientBucket | DeviceBucket;
  readonly collective: Collective;
  /** Joins the ranks' devices; left out or null: nothing does, or there is one rank */
  readonly peers?: PeerTensors | null;
  readonly optimizer: Optimizer;
  readonly task: TaskLoss;
  /** Learning rate of the step; left out: that of the optimizer's options */
  readonly lr?: number;
  /** Learnable rows of the input nodes, beside the features of the batch */
  readonly embedding?: NodeEmbedding | null;
  readonly gradClipNorm: number | null;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
}

/**
 * One step of synchronous data parallelism. Every rank sums loss and gradient over its own seeds; one all-reduce adds
 * them up; the division by the global weight comes after it, so k ranks compute what one rank would (decision 0006).
 * Every branch below the reduction looks at reduced values only: ranks cannot part ways. Gradients of learnable rows go
 * to the rows' owners after it; they are not clipped.
 *
 * @returns sums over the global batch; none where they stay on a device, whose bucket has them (`pendingSums`)
 * @throws GnnError CANCELLED when any rank was told to stop; TRAIN_DIVERGED naming the first tensor that is not finite
 */
export async function trainStep(parts: TrainStepParts, given: TrainBatch, context: ForwardContext): Promise<BatchSums> {
  const { bucket } = parts;
  if (!(bucket instanceof DeviceBucket)) return hostTrainStep({ ...parts, bucket }, given, context);
  await deviceTrainStep({ ...parts, bucket }, given, context);
  return noBatchSums;
}

export type HostStepParts = Omit<TrainStepParts, "bucket"> & { readonly bucket: GradientBucket };

async function hostTrainStep(parts: HostStepParts, given: TrainBatch, context: ForwardContext): Promise<BatchSums> {
  const { bucket, clock, embedding } = parts;
  const batch = embedding ? await withLearnedRows(embedding, given) : given;
  if (embedding) clock.lap("wait");
  let ofInput: Float32Array | null = null;
  bucket.zero();
  if (parts.signal.aborted) bucket.requestStop();
  if (hasBatchNorm(parts.model)) await forwardBackwardInSegments(parts, batch, context);
  else if (batch.seeds.length > 0) ofInput = forwardBackward(parts, batch, context);
  const { weightSum } = await reduceAndUpdate(parts, batch, context);
  if (embedding) {
    if (ofInput) {
      // In place: the rows of all nodes may be among them, and this copy is nobody else's.
      for (let i = 0; i < ofInput.length; i++) ofInput[i] = (ofInput[i] as number) / weightSum;
      await embedding.push(batch.inputNodes, ofInput);
    }
    await embedding.endStep();
  }
  clock.lap("optimizer");
  return bucket.sums;
}

/**
 * Adds up the bucket of all ranks and moves the weights by the mean gradient.
 *
 * @returns the sums of the global batch
 * @throws GnnError CANCELLED, TRAIN_DIVERGED, on every rank alike
 */
export async function reduceAndUpdate(
  parts: Omit<HostStepParts, "task">,
  batch: TrainBatch,
  context: ForwardContext,
): Promise<BatchSums> {
  const { bucket, clock } = parts;
  points.allReduce.publish({ epoch: context.epoch, step: context.step });
  await parts.collective.allReduceSum(bucket.values);
  clock.lap("allReduce");
  if (bucket.isStopRequested) throw cancelled();
  await assertFinite(parts, batch, context);
  await parts.pass?.endStep?.();
  const { sums } = bucket;
  bucket.divide();
  if (parts.gradClipNorm !== null) bucket.clip(bucket.norm(), parts.gradClipNorm);
  parts.optimizer.step(bucket, parts.lr);
  return sums;
}

async function withLearnedRows(embedding: NodeEmbedding, batch: TrainBatch): Promise<TrainBatch> {
  if (batch.seeds.length === 0) return batch;
  return { ...batch, features: await embedding.read(batch.inputNodes, batch.features as DenseRows) };
}

/** Writes the gradients into the bucket. @returns that of the input rows, when there are learnable ones among them */
function forwardBackward(
  { model, pass = layersInOrder(model), bucket, task, clock, embedding }: HostStepParts,
  batch: TrainBatch,
  context: ForwardContext,
): Float32Array | null {
  const { seeds, features } = batch;
  const input = embedding ? inputVariable(features) : null;
  let ofInput: Float32Array | null = null;
  tidy(() => {
    let counted = { weightSum: 0, hits: 0, trials: 0 };
    const { value, grads } = variableGrads(() => {
      const outputs = pass.forward(input ? { ...batch, input: input as Tensor2D } : batch, context);
      counted = task.count(tensorFloats(outputs), seeds);
      const loss = task.lossSum(outputs, seeds);
      clock.lap("forward");
      return loss;
    }, [...model.variables.map(({ variable }) => variable), ...(input ? [input] : [])]);
    for (const [i, { variable }] of model.variables.entries()) {
      const gradient = grads[variable.name]; // absent when the loss does not depend on the variable
      if (gradient) bucket.slot(i).set(gradient.dataSync<"float32">());
    }
    if (input) ofInput = tensorFloats(grads[input.name] as Tensor2D).slice();
    bucket.sums = { lossSum: value.dataSync<"float32">()[0] as number, ...counted };
  });
  input?.dispose();
  clock.lap("backward");
  return ofInput;
}

/** The caller disposes it. */
function inputVariable({ values, numRows, dim }: FeatureRows): Variable {
  const rows = tensor2d(values, [numRows, dim], "float32");
  const made = variable(rows);
  rows.dispose();
  return made;
}

/** Runs models whose layers need statistics of the whole batch, together with all ranks, seeds or not. */
async function forwardBackwardInSegments(
  { model, bucket, collective, task, clock }: HostStepParts,
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
        counted = task.count(tensorFloats(outputs), seeds);
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
