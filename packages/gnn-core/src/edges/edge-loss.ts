import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { ForwardContext } from "../nn/model.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import type { NodeTask, TaskLoss } from "../tasks/node-task.ts";
import type { EdgeHead } from "./edge-head.ts";
import type { LabelledEdges } from "./edge-task.ts";

/** What is learnt of edges, ready to be trained */
export interface LearntEdges {
  /** Its seeds are rows of `edges`. */
  readonly task: NodeTask;
  readonly head: EdgeHead;
  readonly edges: LabelledEdges;
}

/** One rank's edges in one step */
export interface EdgesOfStep {
  /** Rows of the labelled edges */
  readonly ids: Int32Array;
  /** The row of the encoder's output that each has as its source, and as its target */
  readonly srcRows: Int32Array;
  readonly dstRows: Int32Array;
}

/**
 * The loss of one step's edges from the encoder's rows of their ends. What is counted beside it (hits) is counted
 * without the dropout behind the encoder.
 */
export function edgeLoss(
  { task, head, edges }: LearntEdges,
  { ids, srcRows, dstRows }: EdgesOfStep,
  context: ForwardContext,
): TaskLoss {
  const outputsOf = (rows: Tensor2D, forward: ForwardContext) => {
    const ends = { src: gatherRows(rows, srcRows), dst: gatherRows(rows, dstRows) };
    return head.apply(ends, featuresOf(edges, ids), ids, forward);
  };
  return {
    lossSum: (rows) => tidy(() => task.lossSum(outputsOf(rows, context), ids)),
    count: (values, nodes) =>
      tidy(() => {
        const rows = tensor2d(values, [nodes.length, values.length / Math.max(1, nodes.length)]);
        return task.count(outputsOf(rows, noDropout).dataSync<"float32">(), ids);
      }),
    countOnDevice: (rows) => task.countOnDevice?.(outputsOf(rows, noDropout), ids) ?? null,
  };
}

/** Features of some edges, float32 [ids, featureDim]; null: edges have none. */
export function featuresOf({ features, featureDim }: LabelledEdges, ids: Int32Array): Tensor2D | null {
  if (!features || featureDim === 0) return null;
  const taken = new Float32Array(ids.length * featureDim);
  for (const [i, id] of ids.entries())
    taken.set(features.subarray(id * featureDim, (id + 1) * featureDim), i * featureDim);
  return tensor2d(taken, [ids.length, featureDim]);
}
