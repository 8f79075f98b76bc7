import { randomUUID } from "node:crypto";
import type { Job } from "@hopwise/client";
import type { CliContext } from "../context.ts";
import { followJob } from "./follow.ts";

/** Submits a job, follows it if that is asked for, and tells its id; with its figures when it was followed. */
export async function submit(context: CliContext, spec: unknown, watch: boolean): Promise<void> {
  const client = await context.client();
  // One command is one job, however often it has to be sent.
  const job = await client.call("POST /v1/jobs", { body: spec, idempotencyKey: `cli/${randomUUID()}` });
  for (const warning of job.estimate?.warnings ?? []) context.output.note(warning);
  if (!watch) return context.output.result(job, job.id);
  context.output.note(`job ${job.id}`);
  const ended = await followJob(context, job.id);
  context.output.result(ended, [ended.id, ...rowsInWords(ended), ...figures(ended.metrics)].join("\n"));
}

/** Which nodes have no learned row of the model that a job applied, if any has none. */
export function rowsInWords({ learnedRows }: Pick<Job, "learnedRows">): string[] {
  if (!learnedRows || learnedRows.unseen === 0) return [];
  const all = learnedRows.unseen > learnedRows.unseenIds.length ? [`all of them: GET ${learnedRows.url}`] : [];
  return [learnedRows.text, ...all];
}

/** Metrics in words, the test's first. */
export function figures(metrics: Readonly<Record<string, number | null>> | null): string[] {
  const known = Object.entries(metrics ?? {}).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const order = (name: string) => ["test/", "val/", "train/"].findIndex((split) => name.startsWith(split)) >>> 0;
  return known
    .toSorted((a, b) => order(a.name) - order(b.name))
    .map(({ name, value }) => `${name} ${value.toPrecision(4)}`);
}
