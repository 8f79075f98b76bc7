import { knowsTarget, type NodeTargets } from "../graph/node-targets.ts";
import { regressionLossSum } from "../ops/regression-loss.ts";
import type { RegressionOptions } from "../spec/task-options.ts";
import { ratio } from "./batch-sums.ts";
import type { NodeTask } from "./node-task.ts";
import type { OutputScaling } from "./output-scaling.ts";
import { RegressionTally } from "./regression-tally.ts";

/**
 * Numbers of nodes: the mean over all known targets of l(z − (t − mean)/scale), l the chosen loss. The model's
 * outputs are standardised; metrics and predictions are in the targets' own units.
 *
 * @param targets in the user's units
 * @param scaling mean and deviation of each target; 0 and 1: the outputs are the predictions
 */
export function regressionTask(
  targets: NodeTargets,
  scaling: OutputScaling,
  { loss, huberDelta }: Pick<RegressionOptions, "loss" | "huberDelta">,
): NodeTask {
  const width = targets.names.length;
  const scaled = standardized(targets.values, scaling);
  const centres = meansOf(scaled, width);
  const rowsOf = (nodes: Int32Array) => {
    const rows = new Float32Array(nodes.length * width);
    for (let row = 0; row < nodes.length; row++) {
      const from = (nodes[row] as number) * width;
      rows.set(scaled.subarray(from, from + width), row * width);
    }
    return rows;
  };
  return {
    type: "nodeRegression",
    outDim: width,
    scaling,
    isLabelled: (node) => knowsTarget(targets, node),
    lossSum: (outputs, seeds) => regressionLossSum(outputs, rowsOf(seeds), loss, huberDelta),
    count: (_outputs, seeds) => {
      const weightSum = rowsOf(seeds).reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
      return { weightSum, hits: 0, trials: 0 };
    },
    trainMetrics: ({ lossSum, weightSum }) => ({ loss: ratio(lossSum, weightSum) }),
    tally: () => new RegressionTally(scaled, scaling, { loss, huberDelta }, centres),
    ranking: null,
  };
}

/** (t − mean) / scale, column by column. */
function standardized(values: Float32Array, { mean, scale }: OutputScaling): Float32Array {
  const width = mean.length;
  return values.map((value, i) => (value - (mean[i % width] as number)) / (scale[i % width] as number));
}

/** Mean of the known values of each column */
function meansOf(values: Float32Array, width: number): number[] {
  return Array.from({ length: width }, (_, column) => {
    let sum = 0;
    let count = 0;
    for (let i = column; i < values.length; i += width) {
      const value = values[i] as number;
      if (!Number.isNaN(value)) [sum, count] = [sum + value, count + 1];
    }
    return count > 0 ? sum / count : 0;
  });
}
