import type { Client, JobState } from "./client.ts";
import { type ServerEvent, serverEvents } from "./events.ts";

export interface TrainingPlan {
  readonly epochs: number;
  readonly batchSize: number;
}

/** Steps of an epoch, by the job's own partition report. */
export function stepsPerEpochOf(job: JobState, { batchSize }: TrainingPlan): number {
  const parts = job.artifacts.find(({ kind }) => kind === "parts");
  const report = parts?.info.report as { parts: { trainNodes: number }[] };
  return Math.ceil(report.parts.reduce((sum, part) => sum + part.trainNodes, 0) / batchSize);
}

/** Resolves when a rank reports a step that is neither the first nor the last of an epoch, after the first epoch. */
export async function inMidEpoch(
  client: Client,
  jobId: string,
  { epochs }: TrainingPlan,
  stepsPerEpoch: number,
): Promise<ServerEvent> {
  for await (const event of serverEvents(client, jobId)) {
    if (event.type !== "RankUpdated") continue;
    const step = Number(event.data.step);
    const inEpoch = step % stepsPerEpoch;
    const isInside = inEpoch > stepsPerEpoch * 0.1 && inEpoch < stepsPerEpoch * 0.8;
    if (step > stepsPerEpoch && step < stepsPerEpoch * (epochs - 1) && isInside) return event;
  }
  throw new Error("the job ended before it could be struck in mid-epoch");
}

/** What must not depend on a blow: weights, embeddings and predictions. */
export function resultDigests(job: JobState): Record<string, string> {
  const compared = job.artifacts.filter(({ kind }) => ["model", "inferred", "exports"].includes(kind));
  return Object.fromEntries(
    compared.flatMap(({ kind, blobs }) => blobs.map(({ name, sha256 }) => [`${kind}/${name}`, sha256])),
  );
}

/** Epochs whose training loss was recorded, in order of the events. */
export function epochsOf(events: readonly ServerEvent[]): number[] {
  return events.flatMap(({ type, data }) => {
    const names = (data.values as { name: string }[] | undefined)?.map(({ name }) => name) ?? [];
    return type === "MetricsRecorded" && names.includes("train/loss") ? [Number(data.step)] : [];
  });
}
