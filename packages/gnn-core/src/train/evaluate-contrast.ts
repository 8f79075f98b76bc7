import { tidy } from "../backends/tf.ts";
import type { ProbeAccuracy } from "../contrast/linear-probe.ts";
import { unchanged, type View } from "../contrast/view.ts";
import { viewFeatures } from "../contrast/view-features.ts";
import { viewGraph } from "../contrast/view-links.ts";
import { layerwiseInference } from "../infer/layerwise-inference.ts";
import { epochOrder, globalBatches } from "../sampling/seed-split.ts";
import type { ContrastLearning } from "./contrast-learning.ts";
import type { EvaluatedRun } from "./evaluate-run.ts";
import type { SplitEvaluation } from "./evaluator.ts";
import { pickedRows } from "./picked-rows.ts";
import { hasProbedLabels, probeRows } from "./probe-rows.ts";

type ContrastRun = Omit<EvaluatedRun, "task" | "sampler">;

/** The views of evaluations are those of no epoch, so that values of different epochs compare. */
const fixed = { epoch: 0, step: 0 } as const;

/**
 * The loss of all nodes, as `val/loss`: both views by exact layer-wise inference without dropout, changed alike in
 * every evaluation of a run, and compared in the batches of training. At the end, where the data have one class per
 * node and a split, also what a linear probe tells of val and test.
 * Memory: that of inference and float32 [numNodes, dim] for each view, which the ranks of a host share.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluateContrast<Split extends "val" | "test">(
  run: ContrastRun,
  learnt: ContrastLearning,
  splits: readonly Split[],
  withProbe: boolean,
): Promise<Record<Split, SplitEvaluation>> {
  const { views, dim } = learnt.objective;
  const rows = [await rowsOf(run, dim, "view-0", views[0], 0), await rowsOf(run, dim, "view-1", views[1], 1)] as const;
  const loss = await lossOf(run, learnt, rows);
  const isPlain = JSON.stringify(views[0]) === JSON.stringify(unchanged);
  const found = withProbe && (await probed(run, isPlain ? rows[0] : null, dim));
  const metrics = {
    val: { loss, ...(found && { probeAccuracy: found.val }) },
    test: { ...(found && { probeAccuracy: found.test }) },
  };
  // No rank goes on to overwrite the shared rows while another one reads them.
  await run.setup.rank.collective.barrier();
  const evaluated = splits.map((split) => [split, { metrics: metrics[split], confusion: null }] as const);
  return Object.fromEntries(evaluated) as unknown as Record<Split, SplitEvaluation>;
}

/** Mean over all nodes. The ranks take batches in turn. */
async function lossOf(
  { setup: { rank, options }, fit, step }: ContrastRun,
  { head, nodes, objective: { dim } }: ContrastLearning,
  rows: readonly [Float32Array, Float32Array],
): Promise<number> {
  const { seed, batchSize } = options.train;
  const batches = globalBatches(epochOrder(nodes, seed, fixed.epoch), batchSize);
  const sums = new Float32Array(batches.length);
  for (let i = rank.rank; i < batches.length; i += rank.worldSize) {
    const batch = batches[i] as Int32Array;
    sums[i] = tidy(() => {
      const [first, second] = [pickedRows(rows[0], dim, batch), pickedRows(rows[1], dim, batch)];
      return head.lossSum(first, second).dataSync<"float32">()[0] as number;
    });
    fit.reporter.tick(step);
  }
  await rank.collective.allReduceSum(sums);
  return sums.reduce((sum, value) => sum + value, 0) / Math.max(1, nodes.length);
}

/** Rows of all nodes in a view: the same memory for every rank of the host. */
async function rowsOf(
  { model, data, setup, fit, step }: ContrastRun,
  dim: number,
  name: string,
  view: View,
  index: number,
): Promise<Float32Array> {
  const { rank, sharedRows, options } = setup;
  const { graph } = data;
  const numbers = (of: string, width: number) => sharedRows(of, graph.numNodes * width);
  const last = model.layers.length - 1;
  const key = { seed: options.train.seed, ...fixed };
  await layerwiseInference({
    model,
    graph: viewGraph(graph, view, index, key),
    features: viewFeatures(data.features, view, index, key),
    rank,
    signal: fit.signal,
    onProgress: () => fit.reporter.tick(step),
    outputOf: (layer, width) => numbers(layer === last ? name : `hidden-${layer}`, width),
    projectedOf: (width) => numbers(`projected-${width}`, width),
  });
  return numbers(name, dim);
}

/** What a linear probe tells of the classes by the rows of the unchanged graph. */
async function probed(run: ContrastRun, plain: Float32Array | null, dim: number): Promise<ProbeAccuracy | null> {
  if (!hasProbedLabels(run.data)) return null;
  const rows = plain ?? (await rowsOf(run, dim, "plain", unchanged, 0));
  return probeRows(run.data, rows, dim, run.setup.rank);
}
