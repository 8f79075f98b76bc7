import type { GnnModel } from "../nn/model.ts";
import { countParameters } from "../optim/flat-gradients.ts";
import { stepsPerEpoch } from "../sampling/seed-split.ts";
import type { RunLog } from "./run-log.ts";
import type { RunState } from "./run-state.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/** The first line of a run: what trains, on what, how. */
export function tellStart(
  log: RunLog,
  { data, options, rank }: ResolvedSetup,
  { model, trainNodes }: { readonly model: GnnModel; readonly trainNodes: Int32Array },
): void {
  const { epochs, batchSize } = options.train;
  log.info("Training started", {
    model: options.model.type,
    parameters: countParameters(model.variables),
    sampling: options.sampling.type,
    optimizer: options.train.optimizer.type,
    features: `${data.features.kind} × ${data.features.dim}`,
    classes: data.numClasses,
    trainNodes: trainNodes.length,
    ranks: rank.worldSize,
    epochs,
    batchSize,
    stepsPerEpoch: stepsPerEpoch(trainNodes.length, batchSize),
  });
}

/** Why the epochs ended early, if they did, and whose weights the model goes on with. */
export function tellEnd(log: RunLog, { epoch, stopping }: RunState): void {
  const { metric, shouldStop } = stopping;
  const { best, badEvaluations } = stopping.state;
  if (shouldStop) log.info("Stopped early", { epoch, metric, badEvaluations });
  if (best) log.info("Best epoch", { epoch: best.epoch, [metric]: best.metric });
}
