import type { ConnectedSums } from "../dist/connect-device-sums.ts";
import type { GnnModel } from "../nn/model.ts";
import { countParameters } from "../optim/flat-gradients.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { stepsPerEpoch } from "../sampling/seed-split.ts";
import type { Learning } from "./learning.ts";
import type { RunLog } from "./run-log.ts";
import type { RunState } from "./run-state.ts";
import type { StartVectors } from "./start-vectors.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";
import type { TrainingEnd } from "./training-end.ts";

/** How the log calls the number of seeds */
const trained = { nodes: "trainNodes", links: "trainLinks", graphs: "trainGraphs", edges: "trainEdges" } as const;

/** The first line of a run: what trains, on what, how. */
export function tellStart(
  log: RunLog,
  { data, options, rank, start, vectors }: ResolvedSetup,
  { model, learning, sampler }: { readonly model: GnnModel; readonly sampler: Sampler; readonly learning: Learning },
): void {
  const { epochs, batchSize } = options.train;
  const planned = sampler.epochSeeds?.(learning.trainNodes, 1, rank).length;
  const numFrozen = start?.freeze?.length ? countParameters(model.buffers ?? []) : 0;
  if (vectors) tellVectors(log, vectors);
  log.info("Training started", {
    model: options.model.type,
    parameters: countParameters(model.variables) + numFrozen,
    ...(numFrozen > 0 && { frozen: numFrozen }),
    sampling: options.sampling.type,
    optimizer: options.train.optimizer.type,
    inductive: options.task.inductive,
    features: `${data.features.kind} × ${data.features.dim}`,
    task: learning.name,
    outputs: learning.outDim,
    [trained[learning.seeds]]: learning.numTrain,
    ranks: rank.worldSize,
    epochs,
    batchSize,
    stepsPerEpoch: planned ?? stepsPerEpoch(learning.numTrain, batchSize),
  });
}

function tellVectors(log: RunLog, { known, frozen }: StartVectors): void {
  const nodesWithVector = known.reduce((sum, isKnown) => sum + isKnown, 0);
  log.info("Learned rows begin as vectors of a file", {
    nodesWithVector,
    nodesWithout: known.length - nodesWithVector,
    frozen,
  });
}

/** How gradients of several devices are added up; nothing where there is one, or none. */
export function tellSums(log: RunLog, { sums, whyNot }: ConnectedSums): void {
  if (sums) log.info("Gradients are added up from device to device", { by: sums.name });
  else if (whyNot !== null) log.info("Gradients are added up through the hosts' memory", { whyNot });
}

/** Why the epochs ended early, if they did, and whose weights the model goes on with. */
export function tellEnd(log: RunLog, { epoch, step, stopping }: RunState, end: TrainingEnd): void {
  const { metric, shouldStop } = stopping;
  const { best, badEvaluations } = stopping.state;
  if (shouldStop) log.info("Stopped early", { epoch, metric, badEvaluations });
  else if (end.isAsked) log.info("Training ends here, as was asked", { epoch, step });
  if (best) log.info("Best epoch", { epoch: best.epoch, [metric]: best.metric });
}
