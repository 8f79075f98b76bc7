import { add, mul, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { BatchNormCut, GnnModel, LayerInput } from "../nn/model.ts";
import type { ColumnStatistics } from "../ops/batch-norm.ts";
import { composeColumnMoments } from "../ops/column-moments.ts";
import { runningShare } from "./batch-norm-step.ts";
import type { ForwardPass } from "./forward-pass.ts";

/**
 * The layers in order on one tape, statistics of the batch with them: what `batchNormStep` computes, for a rank that
 * has all seeds. Nothing of it is read back from where it is computed, the running averages neither.
 */
export function batchNormPass(model: GnnModel): Pick<ForwardPass, "forward"> {
  return {
    forward({ features, blocks, seeds }, context) {
      const alone = model.usesNeighbors ? null : edgelessBlock(seeds);
      let x: LayerInput = features;
      for (const [i, layer] of model.layers.entries()) {
        const block = alone ?? (blocks[i] as Block);
        const { batchNorm: norm } = layer;
        if (!norm) {
          x = layer.forward(block, x, context);
          continue;
        }
        const z = norm.before(block, x, context);
        const statistics = composeColumnMoments(z, seeds.length);
        updateRunning(norm, statistics, seeds.length);
        x = norm.after(block, x, z, statistics, context);
      }
      return x as Tensor2D;
    },
  };
}

function updateRunning({ runningMean, runningVariance }: BatchNormCut, found: ColumnStatistics, count: number): void {
  const unbiased = count > 1 ? count / (count - 1) : 1;
  tidy(() => {
    runningMean.assign(blended(runningMean, found.mean, 1));
    runningVariance.assign(blended(runningVariance, found.variance, unbiased));
  });
}

function blended(running: Tensor1D, found: Tensor1D, factor: number): Tensor1D {
  return add(mul(running, 1 - runningShare), mul(found, runningShare * factor));
}
