import { inferNodes } from "../infer/infer-nodes.ts";
import { noBatchSums } from "../tasks/batch-sums.ts";
import type { EvaluatedRun } from "./evaluate-run.ts";
import type { SplitEvaluation } from "./evaluator.ts";
import type { Learning } from "./learning.ts";
import { hasProbedLabels, probeRows } from "./probe-rows.ts";

type UntaughtRun = Omit<EvaluatedRun, "task" | "sampler">;

/** No step is taken; labels, where there are some, are only asked by a linear probe at the end. */
export function untaughtLearning(name: string, dim: number): Learning {
  return {
    name,
    seeds: "nodes",
    outDim: dim,
    scaling: null,
    numTrain: 0,
    trainNodes: new Int32Array(),
    // There is nothing to choose between, so that nothing is missed either.
    hasValidation: true,
    trainMetrics: () => ({}),
    trainEpoch: async () => ({ sums: noBatchSums, numSteps: 0, lr: 0 }),
    evaluate: (run, splits) => evaluateUntaught(run, dim, splits),
  };
}

/**
 * What a linear probe tells of val and test, at the end alone. Memory: that of inference, whose rows rank 0 has.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
async function evaluateUntaught<Split extends "val" | "test">(
  run: UntaughtRun,
  dim: number,
  splits: readonly Split[],
): Promise<Record<Split, SplitEvaluation>> {
  const isEnd = splits.some((split) => split === "test");
  const found = isEnd && hasProbedLabels(run.data) ? await probed(run, dim) : null;
  const evaluated = splits.map((split) => {
    const metrics = found ? { probeAccuracy: found[split] } : {};
    return [split, { metrics, confusion: null }] as const;
  });
  return Object.fromEntries(evaluated) as unknown as Record<Split, SplitEvaluation>;
}

async function probed({ model, data, setup, fit, step }: UntaughtRun, dim: number) {
  const { graph, features } = data;
  const { rank, sharedRows } = setup;
  const { logits } = await inferNodes(
    { model, graph, features, rank, signal: fit.signal, onProgress: () => fit.reporter.tick(step) },
    (name, width) => sharedRows(`untaught-${name}`, graph.numNodes * width),
  );
  const found = await probeRows(data, logits, dim, rank);
  // No rank goes on to overwrite the shared rows while another one reads them.
  await rank.collective.barrier();
  return found;
}
