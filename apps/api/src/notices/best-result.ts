import type { Registry, TaskFacts } from "@hopwise/gnn-core/spec";
import type { Job } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";
import { taskOfJob } from "../job-state/job-task.ts";

export type Metric = TaskFacts["metrics"][number];

/** The best of the earlier jobs. */
export interface Best {
  readonly id: string;
  readonly name: string;
  readonly result: number;
}

/** The metric that stands for a job's result; null: it has no result, or its task is not installed any more. */
export function metricOfJob(job: Job, registry: Registry): Metric | null {
  if (job.result === null) return null;
  const task = taskOfJob(job, registry);
  return task?.metrics.find(({ name }) => name === job.chiefMetric) ?? null;
}

/**
 * The best of the earlier jobs on the same dataset, any of its versions, that were judged by the same metric, when this
 * job is better than it; null when it is not, or when it is the first. Jobs of its own sweep are not looked at.
 */
export async function bestBefore(tx: Tx, job: Job, { direction }: Metric): Promise<Best | null> {
  if (job.result === null || job.datasetVersionId === null || job.finishedAt === null) return null;
  const version = await tx.datasetVersion.findUnique({
    where: { id: job.datasetVersionId },
    select: { datasetId: true },
  });
  if (!version) return null;
  const before = await tx.job.findFirst({
    where: {
      id: { not: job.id },
      projectId: job.projectId,
      kind: "train",
      state: "SUCCEEDED",
      deletedAt: null,
      chiefMetric: job.chiefMetric,
      result: { not: null },
      finishedAt: { lte: job.finishedAt },
      datasetVersion: { datasetId: version.datasetId },
      ...(job.sweepId !== null && { OR: [{ sweepId: null }, { sweepId: { not: job.sweepId } }] }),
    },
    orderBy: { result: direction === "max" ? "desc" : "asc" },
    select: { id: true, name: true, result: true },
  });
  if (before === null || before.result === null) return null;
  const isBetter = direction === "max" ? job.result > before.result : job.result < before.result;
  return isBetter ? { ...before, result: before.result } : null;
}
