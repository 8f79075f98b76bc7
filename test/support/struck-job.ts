import type { JobState } from "./client.ts";
import type { ServerEvent } from "./events.ts";

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
