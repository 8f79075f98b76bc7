import type { DatasetSpec, JobSpec } from "@hopwise/contracts";
import { learnableGraphs, learnedNodes, type Registry, randomSplit, resolveTask } from "@hopwise/gnn-core/spec";
import { datasetSpecOf } from "../database/stored-json.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";

/** A dataset that does not say of the rows of a task which are trained on. */
export interface NoSplit {
  readonly rows: "nodes" | "graphs";
  /** It has folds of graphs, of which a task may name one to be tested on. */
  readonly hasFolds: boolean;
}

/** What a dataset lacks for a task to go by its own split; null: nothing, or the task learns from no such rows. */
export function lackOfSplit(
  { task }: Pick<JobSpec, "task">,
  confirmed: DatasetSpec,
  registry: Registry,
): NoSplit | null {
  const { component, options } = resolveTask(task, registry);
  if (component.seeds === "graphs") {
    const graphs = learnableGraphs(confirmed);
    const isSplit = component.folds(options) !== null || graphs?.hasSplit;
    return isSplit ? null : { rows: "graphs", hasFolds: graphs?.hasFolds ?? false };
  }
  if (component.seeds !== "nodes") return null;
  const nodes = learnedNodes(confirmed);
  const isSplit = nodes?.split || nodes?.splitMasks || nodes?.splitFiles;
  return isSplit ? null : { rows: "nodes", hasFolds: false };
}

/**
 * The split of a job whose spec, as it was sent, says nothing of one, on a dataset without one: rows are drawn at
 * random, which `note` says. null: the spec or the dataset says, or the dataset has folds, between which the job must
 * choose.
 */
export function drawnSplit(
  sent: unknown,
  spec: JobSpec,
  version: DatasetVersion,
  registry: Registry,
): { readonly split: JobSpec["split"]; readonly note: string } | null {
  if ((sent as { readonly split?: unknown }).split !== undefined) return null;
  const confirmed = datasetSpecOf(version);
  const lack = confirmed && lackOfSplit(spec, confirmed, registry);
  if (lack === null || lack.hasFolds) return null;
  const split = randomSplit.parse({ type: "random" });
  const [train, val, test] = [split.train, split.val, split.test].map((share) => `${100 * share} %`);
  const note = `The dataset has no split and the job does not say one: ${train} of the labelled ${lack.rows} train, ${val} choose the best epoch and ${test} test (split).`;
  return { split, note };
}
