import { add, div, mul, relu, sub, type Tensor1D, type Tensor2D, tidy, zeros } from "../backends/tf.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { Block } from "../graph/block.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { BatchNormCut, GnnModel, LayerInput } from "../nn/model.ts";
import { composeColumnMoments } from "../ops/column-moments.ts";
import { runningShare } from "./batch-norm-step.ts";
import type { ForwardPass } from "./forward-pass.ts";
import { type CountedMoments, momentsOfRanks } from "./moments-of-ranks.ts";

/**
 * The layers in order on one tape, statistics of the batch with them: what `batchNormStep` computes. A rank that has
 * all seeds finds the statistics alone; several add up what they have of them from device to device. Nothing of it is
 * read back from where it is computed, the running averages neither.
 *
 * @param peers joins the ranks' devices; null: this rank has all seeds
 */
export function batchNormPass(model: GnnModel, peers: PeerTensors | null = null): Pick<ForwardPass, "forward"> {
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
        const statistics = peers
          ? momentsOfRanks(z, seeds.length, norm.runningMean, peers)
          : { ...composeColumnMoments(z, seeds.length), count: seeds.length };
        updateRunning(norm, statistics);
        x = norm.after(block, x, z, statistics, context);
      }
      return x as Tensor2D;
    },
  };
}

/** Takes part in the sums of both passes on a rank that has no seed in the step. */
export function batchNormWithoutSeeds(model: GnnModel, peers: PeerTensors): void {
  const norms = model.layers.flatMap(({ batchNorm }) => batchNorm ?? []);
  tidy(() => {
    for (const norm of norms) updateRunning(norm, momentsOfRanks(null, 0, norm.runningMean, peers));
    for (const { dim } of norms.toReversed()) peers.sum(zeros([2 * dim]));
  });
}

function updateRunning({ runningMean, runningVariance }: BatchNormCut, found: CountedMoments): void {
  tidy(() => {
    runningMean.assign(blended(runningMean, found.mean));
    runningVariance.assign(blended(runningVariance, mul(found.variance, unbiased(found.count))));
  });
}

/** n / (n − 1), of a single row 1 */
function unbiased(count: number | Tensor1D): number | Tensor1D {
  if (typeof count === "number") return count > 1 ? count / (count - 1) : 1;
  return div(count, add(relu(sub(count, 2)), 1));
}

function blended(running: Tensor1D, found: Tensor1D): Tensor1D {
  return add(mul(running, 1 - runningShare), mul(found, runningShare));
}
