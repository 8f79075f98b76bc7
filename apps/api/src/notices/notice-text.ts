import type { Job } from "../generated/prisma/client.ts";
import { shownJob } from "../job-state/notices-of-run.ts";
import type { Best, Metric } from "./best-result.ts";

export function doneMessage(job: Job, metric: Metric | null): string {
  const what = `${shownJob(job)} is done`;
  return metric === null || job.result === null
    ? `${what}.`
    : `${what}: ${metric.title}, test ${show(job.result, metric)}.`;
}

export function bestMessage(job: Job, metric: Metric, before: Best): string {
  const found = job.result === null ? "" : ` of ${show(job.result, metric)}`;
  const earlier = `${shownJob(before)} had ${show(before.result, metric)}`;
  return `${shownJob(job)} has the best test result${found} (${metric.title}) on “${job.datasetName}”; ${earlier}.`;
}

/** A value of a metric as people read it. */
export function show(value: number, { shownAs }: Metric): string {
  return shownAs === "percent" ? `${(value * 100).toFixed(2)} %` : String(Number(value.toPrecision(4)));
}
