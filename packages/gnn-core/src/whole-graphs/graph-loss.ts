import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { ForwardContext } from "../nn/model.ts";
import { noDropout } from "../nn/no-dropout.ts";
import type { NodeTask, TaskLoss } from "../tasks/node-task.ts";
import type { GraphHead } from "./graph-head.ts";
import { poolBlock } from "./pool-block.ts";

/**
 * The loss of one step's graphs from the encoder's rows of their nodes. What is counted beside it (hits) is counted
 * without the dropout behind the readout.
 *
 * @param offsets those of the set
 */
export function graphLoss(
  { task, head, offsets }: { readonly task: NodeTask; readonly head: GraphHead; readonly offsets: Int32Array },
  context: ForwardContext,
): TaskLoss {
  const outputsOf = (rows: Tensor2D, nodes: Int32Array, forward: ForwardContext) => {
    const { pool, graphs } = poolBlock(nodes, offsets);
    return { graphs, outputs: head.apply(head.embed(pool, rows), graphs, forward) };
  };
  return {
    lossSum: (rows, nodes) =>
      tidy(() => {
        const { outputs, graphs } = outputsOf(rows, nodes, context);
        return task.lossSum(outputs, graphs);
      }),
    count: (values, nodes) =>
      tidy(() => {
        const rows = tensor2d(values, [nodes.length, values.length / Math.max(1, nodes.length)]);
        const { outputs, graphs } = outputsOf(rows, nodes, noDropout);
        return task.count(outputs.dataSync<"float32">(), graphs);
      }),
    countOnDevice: (rows, nodes) => {
      const { outputs, graphs } = outputsOf(rows, nodes, noDropout);
      return task.countOnDevice?.(outputs, graphs) ?? null;
    },
  };
}
