import {
  add,
  concat,
  engine,
  mul,
  type Scalar,
  slice,
  sum,
  type Tensor,
  type Tensor2D,
  tensor2d,
  tidy,
  type Variable,
} from "../backends/tf.ts";
import type { ContrastHead } from "../contrast/contrast-objective.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { ForwardContext } from "../nn/model.ts";
import { type BatchSums, noBatchSums } from "../tasks/batch-sums.ts";
import { DeviceBucket } from "./device-bucket.ts";
import { stepOnDevice } from "./device-step.ts";
import { layersInOrder } from "./forward-pass.ts";
import { type HostStepParts, reduceAndUpdate, type TrainBatch, type TrainStepParts } from "./train-step.ts";

/** One rank's share of a batch in both views. */
export interface ContrastBatch extends TrainBatch {
  /** Input rows and blocks of each view; those of the batch itself are of none */
  readonly views: readonly [ViewInput, ViewInput];
  /** Place of the rank's first seed in the global batch, and how many seeds that has */
  readonly place: { readonly first: number; readonly numSeeds: number };
}

export interface ViewInput {
  readonly features: FeatureRows;
  readonly blocks: readonly Block[];
}

export interface ContrastStepParts extends Omit<TrainStepParts, "task" | "embedding" | "pass"> {
  readonly head: ContrastHead;
  /** Width of the rows that are compared */
  readonly dim: number;
}

/**
 * One step of a task that compares two views. Each node of the global batch is compared with all others, wherever they
 * lie: every rank gives the rows of its seeds, all ranks get the rows of all, and each finds the same loss and the same
 * gradient by all rows; of that it takes the part by its own rows through the model. So k ranks compute what one rank
 * would. A single rank has all rows already and goes through the model once; of several each goes through it twice, for
 * no tape outlasts a reduction.
 *
 * @returns sums over the global batch; none where they stay on a device, whose bucket has them (`pendingSums`)
 * @throws GnnError CANCELLED, TRAIN_DIVERGED
 */
export async function contrastStep(
  parts: ContrastStepParts,
  batch: ContrastBatch,
  context: ForwardContext,
): Promise<BatchSums> {
  const { bucket } = parts;
  if (!(bucket instanceof DeviceBucket)) return hostContrastStep({ ...parts, bucket }, batch, context);
  const onDevice = { ...parts, bucket };
  const { peers } = parts;
  const setGradient = () => (peers ? joined({ ...onDevice, peers }, batch, context) : alone(onDevice, batch, context));
  await stepOnDevice(onDevice, context, setGradient);
  return noBatchSums;
}

type OnHost = Omit<ContrastStepParts, "bucket"> & Pick<HostStepParts, "bucket">;

async function hostContrastStep(parts: OnHost, batch: ContrastBatch, context: ForwardContext): Promise<BatchSums> {
  const { bucket, clock, collective } = parts;
  bucket.zero();
  if (parts.signal.aborted) bucket.requestStop();
  if (collective.worldSize === 1) alone(parts, batch, context);
  else await together(parts, batch, context);
  clock.lap("backward");
  return reduceAndUpdate({ ...parts, pass: viewPass(parts, batch) }, batch, context);
}

function alone(parts: ContrastStepParts, batch: ContrastBatch, context: ForwardContext): void {
  tidy(() => {
    const loss = () => {
      const [first, second] = viewRows(parts, batch, context);
      return parts.head.lossSum(first, second);
    };
    const { value, grads } = engine().gradients<Scalar>(loss, trained(parts), undefined, true);
    const { bucket } = parts;
    if (!(bucket instanceof DeviceBucket)) {
      setGradients({ bucket }, grads);
      bucket.sums = sumsOf(value.dataSync<"float32">()[0] as number, batch);
      return;
    }
    for (const [i, gradient] of grads.entries()) if (gradient) bucket.setGradient(i, gradient);
    bucket.setSums(value, sumsOf(0, batch));
  });
}

async function together(parts: OnHost, batch: ContrastBatch, context: ForwardContext): Promise<void> {
  const { dim, collective, bucket } = parts;
  const { first, numSeeds } = batch.place;
  const own = batch.seeds.length;
  const rows = new Float32Array(2 * numSeeds * dim);
  if (own > 0) {
    tidy(() => {
      for (const [view, output] of viewRows(parts, batch, context).entries()) {
        rows.set(output.dataSync<"float32">(), (view * numSeeds + first) * dim);
      }
    });
  }
  await collective.allReduceSum(rows);
  tidy(() => {
    const all = ([0, 1] as const).map((view) =>
      tensor2d(rows.subarray(view * numSeeds * dim, (view + 1) * numSeeds * dim), [numSeeds, dim]),
    ) as [Tensor2D, Tensor2D];
    const head = parts.head.variables.map(({ variable }): Tensor => variable);
    const { value, grads } = engine().gradients<Scalar>(() => parts.head.lossSum(...all), [...all, ...head]);
    // All ranks found the same: one says so.
    if (collective.rank === 0) {
      bucket.sums = sumsOf(value.dataSync<"float32">()[0] as number, batch);
      const firstOfHead = parts.model.variables.length - head.length;
      for (const [i, gradient] of grads.slice(2).entries()) {
        if (gradient) bucket.slot(firstOfHead + i).set(gradient.dataSync<"float32">());
      }
    }
    if (own === 0) return;
    const ofOwn = grads.slice(0, 2).map((gradient) => slice(gradient as Tensor2D, [first, 0], [own, dim]));
    const through = () => {
      const [a, b] = viewRows(parts, batch, context);
      return add<Scalar>(sum(mul(a, ofOwn[0] as Tensor2D)), sum(mul(b, ofOwn[1] as Tensor2D)));
    };
    setGradients(parts, engine().gradients<Scalar>(through, trained(parts), undefined, true).grads);
  });
}

type Joined = Omit<ContrastStepParts, "bucket"> & { readonly bucket: DeviceBucket; readonly peers: PeerTensors };

/** `together` from device to device: the rows of all ranks are on the tape of each. */
function joined(parts: Joined, batch: ContrastBatch, context: ForwardContext): void {
  const { peers, dim, bucket, head, collective, model } = parts;
  const { first, numSeeds } = batch.place;
  const isFirst = collective.rank === 0;
  const hasSeeds = batch.seeds.length > 0;
  const allRows = (): [Tensor2D, Tensor2D] => {
    const own = hasSeeds ? concat<Tensor2D>(viewRows(parts, batch, context), 1) : null;
    const all = peers.joinRows(own, { first, numRows: numSeeds, dim: 2 * dim });
    return [slice(all, [0, 0], [numSeeds, dim]), slice(all, [0, dim], [numSeeds, dim])];
  };
  tidy(() => {
    if (!hasSeeds && !isFirst) {
      allRows();
      return;
    }
    const { value, grads } = engine().gradients<Scalar>(
      () => head.lossSum(...allRows()),
      trained(parts),
      undefined,
      true,
    );
    // All ranks found the same of head and loss: one says so.
    const ofEncoder = model.variables.length - head.variables.length;
    for (const [i, gradient] of grads.entries()) {
      if (gradient && (isFirst || i < ofEncoder)) bucket.setGradient(i, gradient);
    }
    if (isFirst) bucket.setSums(value, sumsOf(0, batch));
  });
}

/** The loss of a step is the mean over its nodes. */
function sumsOf(lossSum: number, { place }: ContrastBatch): BatchSums {
  return { lossSum, weightSum: place.numSeeds, hits: 0, trials: 0 };
}

/** Rows of the seeds in both views, float32 [seeds.length, dim]. */
function viewRows(parts: ContrastStepParts, batch: ContrastBatch, context: ForwardContext): [Tensor2D, Tensor2D] {
  const { forward } = layersInOrder(parts.model);
  return batch.views.map((view, index) =>
    // What is dropped in one view must not be what is dropped in the other.
    forward({ ...batch, ...view }, { ...context, seed: context.seed + index }),
  ) as [Tensor2D, Tensor2D];
}

/** Looks for what is not finite in the first view. */
function viewPass({ model }: ContrastStepParts, { views }: ContrastBatch) {
  const { forward } = layersInOrder(model);
  return { forward: ((batch, ...rest) => forward({ ...batch, ...views[0] }, ...rest)) satisfies typeof forward };
}

function trained({ model }: ContrastStepParts): Variable[] {
  return model.variables.map(({ variable }) => variable);
}

function setGradients({ bucket }: Pick<OnHost, "bucket">, grads: readonly (Tensor | undefined)[]): void {
  for (const [i, gradient] of grads.entries()) {
    if (gradient) bucket.slot(i).set(gradient.dataSync<"float32">()); // absent when the loss does not depend on it
  }
}
