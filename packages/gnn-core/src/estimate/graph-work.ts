import type { SetOfGraphs } from "../io/ingest/set-of-graphs.ts";
import type { ResolvedTask } from "../spec/resolve-task.ts";
import type { SplitOptions } from "../spec/train-options.ts";

interface TrainedOn {
  readonly split?: SplitOptions;
  readonly train: { readonly batchSize: number };
}

/**
 * What a task on whole graphs learns from, in nodes, which are what batches hold: those of the training graphs, and of
 * a step's. null: the task is another one
 */
export function graphWorkOf(
  { component, options }: ResolvedTask,
  { graphs }: { readonly graphs?: SetOfGraphs | undefined },
  { split, train }: TrainedOn,
): { readonly numSeeds: number; readonly batchSize: number } | null {
  if (component.seeds !== "graphs" || !graphs) return null;
  const numTrain = trainGraphs(graphs, component.folds(options), split);
  return {
    numSeeds: Math.ceil(numTrain * graphs.nodes.mean),
    batchSize: Math.ceil(Math.min(train.batchSize, numTrain) * graphs.nodes.mean),
  };
}

function trainGraphs(
  { numGraphs, splits, folds }: SetOfGraphs,
  heldOut: { readonly test: string; readonly val: string | null } | null,
  split: SplitOptions | undefined,
): number {
  if (heldOut) {
    const at = folds.findIndex(({ name }) => name === heldOut.test);
    const val = heldOut.val ?? folds[(at + 1) % Math.max(1, folds.length)]?.name;
    const kept = folds.filter(({ name }) => name !== heldOut.test && name !== val);
    return kept.reduce((sum, { count }) => sum + count, 0);
  }
  return split?.type === "random" ? Math.round(split.train * numGraphs) : splits.train;
}
