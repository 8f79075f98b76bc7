import { dropTape } from "../backends/drop-tape.ts";
import { keep, type Scalar, type Tensor2D, tidy, variableGrads } from "../backends/tf.ts";
import { cancelled } from "../dist/agreement.ts";
import { points } from "../dist/points.ts";
import type { ForwardContext } from "../nn/model.ts";
import type { DeviceCounts, TaskLoss } from "../tasks/node-task.ts";
import { batchNormPass, batchNormWithoutSeeds } from "./batch-norm-pass.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";
import type { DeviceBucket } from "./device-bucket.ts";
import { layersInOrder } from "./forward-pass.ts";
import type { RowsOfStep } from "./rows-of-step.ts";
import type { TrainBatch, TrainStepParts } from "./train-step.ts";

const noNodes = new Int32Array();

/**
 * `trainStep` where the tensors lie on a device: the same sums, reduction and update, but nothing waits for the device
 * of a single rank, nor for those of several that are joined. The host enqueues the step and goes on to the next batch;
 * what came of it, `bucket.pendingSums` tells.
 *
 * @throws GnnError CANCELLED when any rank was told to stop
 */
export async function deviceTrainStep(
  parts: Omit<TrainStepParts, "bucket"> & { readonly bucket: DeviceBucket },
  batch: TrainBatch,
  context: ForwardContext,
): Promise<void> {
  const hasSeeds = batch.seeds.length > 0;
  await parts.pass?.prepare?.(batch);
  await parts.embedding?.prepareOnDevice(hasSeeds ? batch.inputNodes : noNodes);
  let rows: RowsOfStep | null = null;
  const setGradient = () => {
    rows = parts.embedding?.stepOnDevice() ?? null;
    if (hasSeeds) forwardBackward(parts, batch, context, rows);
    else if (parts.peers && hasBatchNorm(parts.model)) batchNormWithoutSeeds(parts.model, parts.peers);
  };
  try {
    await stepOnDevice(parts, context, setGradient, () => rows?.update(parts.bucket.stepScale));
  } finally {
    (rows as RowsOfStep | null)?.dispose();
  }
}

/**
 * A step on the device, whatever enqueues its gradient.
 *
 * @param updateMore  enqueues the update of what lies beside the parameters, behind theirs
 * @throws GnnError CANCELLED when any rank was told to stop
 */
export async function stepOnDevice(
  parts: Omit<TrainStepParts, "bucket" | "task"> & { readonly bucket: DeviceBucket },
  context: ForwardContext,
  setGradient: () => void,
  updateMore: () => void = () => {},
): Promise<void> {
  const { bucket, clock, model } = parts;
  bucket.begin(model.variables.map(({ variable }) => variable));
  try {
    if (parts.signal.aborted) bucket.requestStop();
    withoutTape(setGradient);
    points.allReduce.publish({ epoch: context.epoch, step: context.step });
    await bucket.reduce(parts.collective);
    clock.lap("allReduce");
    if (bucket.isStopRequested) throw cancelled();
    await parts.pass?.endStep?.();
    bucket.update(parts.optimizer, { ...context, lr: parts.lr, maxNorm: parts.gradClipNorm });
    updateMore();
    clock.lap("optimizer");
  } finally {
    bucket.end();
  }
}

/** A pass that fails leaves nothing on the tape. */
function withoutTape(setGradient: () => void): void {
  try {
    setGradient();
  } catch (error) {
    dropTape();
    throw error;
  }
}

/** Enqueues both passes and puts the gradients into the bucket. */
function forwardBackward(
  { model, pass: given = layersInOrder(model), bucket, peers, task, clock }: Parameters<typeof deviceTrainStep>[0],
  batch: TrainBatch,
  context: ForwardContext,
  rows: RowsOfStep | null,
): void {
  const pass = hasBatchNorm(model) ? batchNormPass(model, peers) : given;
  let counted: DeviceCounts = { weightSum: 0, trials: 0, hits: 0 };
  const lossOf = () => {
    const outputs = pass.forward(rows ? { ...batch, input: rows.beside(batch.features) } : batch, context);
    counted = count(task, outputs, batch.seeds);
    const loss = task.lossSum(outputs, batch.seeds);
    clock.lap("forward");
    return loss;
  };
  const variables = model.variables.map(({ variable }) => variable);
  try {
    tidy(() => {
      const { value, grads } = variableGrads(lossOf, rows ? [...variables, rows.variable] : variables);
      for (const [i, variable] of variables.entries()) {
        const gradient = grads[variable.name]; // absent when the loss does not depend on the variable
        if (gradient) bucket.setGradient(i, gradient);
      }
      rows?.setGradient(grads[rows.variable.name]);
      bucket.setSums(value, counted);
    });
  } finally {
    for (const count of [counted.hits, counted.trials]) if (typeof count !== "number") count.dispose();
  }
  clock.lap("backward");
}

/** On the device where the task can; else from the outputs, for which the host waits. The caller disposes tensors. */
function count(task: TaskLoss, outputs: Tensor2D, seeds: Int32Array): DeviceCounts {
  const counted = task.countOnDevice?.(outputs, seeds);
  if (!counted) return task.count(outputs.dataSync<"float32">(), seeds);
  // The tape's end disposes what was made within it.
  const kept = (of: Scalar | number) => (typeof of === "number" ? of : keep(of));
  return { weightSum: counted.weightSum, hits: kept(counted.hits), trials: kept(counted.trials) };
}
