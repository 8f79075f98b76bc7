import { type HopwiseClient, type JobEvent, ProblemError, succeededJob } from "@hopwise/client";
import { ProgressLine, seconds } from "./terminal.ts";

type StageProgress = Extract<JobEvent, { type: "StageProgressed" }>["body"];

/** Follows a job with a progress bar per stage; one finished line stays behind for each. */
export async function showJob(api: HopwiseClient, jobId: string): Promise<void> {
  const line = new ProgressLine();
  const metrics = new Map<string, number>();
  const startedAt = new Map<string, number>();
  const show = (event: JobEvent) => {
    if (event.type === "MetricsRecorded") {
      for (const { name, value } of event.body.values) if (value !== null) metrics.set(name, value);
    } else if (event.type === "IncidentRaised") {
      line.done(`! ${event.body.message}`);
    } else if (event.type === "StageProgressed") {
      const stage = event.body;
      const start = startedAt.get(stage.kind) ?? Date.now();
      startedAt.set(stage.kind, start);
      if (stage.state === "SUCCEEDED") {
        line.done(`✓ ${stage.kind.padEnd(10)} ${stage.cached ? "reused" : seconds(start)}`);
      } else if (stage.state === "RUNNING") {
        line.update(labelOf(stage), fractionOf(stage), detailOf(stage, metrics));
      }
    }
  };
  try {
    await succeededJob(api, jobId, { onEvent: show });
  } catch (error) {
    throw error instanceof ProblemError ? new Error(textOf(error), { cause: error }) : error;
  } finally {
    line.close();
  }
}

function labelOf({ kind, phase }: StageProgress): string {
  return phase ? `${kind}: ${phase}` : kind;
}

function fractionOf({ completed, total }: StageProgress): number | null {
  return completed === null || total === null || total === 0 ? null : Math.min(1, completed / total);
}

function detailOf({ completed, total, unit, etaSeconds }: StageProgress, metrics: ReadonlyMap<string, number>): string {
  const count = completed === null ? "" : `${completed}${total === null ? "" : `/${total}`} ${unit ?? ""}`;
  const eta = etaSeconds === null || etaSeconds < 1 ? "" : `${Math.ceil(etaSeconds)} s left`;
  const shown = ["train/loss", "val/accuracy"].flatMap((name) => {
    const value = metrics.get(name);
    return value === undefined ? [] : [`${name} ${value.toFixed(3)}`];
  });
  return [count, eta, ...shown].filter(Boolean).join("  ");
}

function textOf({ problem: { code, detail, file, line } }: ProblemError): string {
  const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `, line ${line}`})`;
  return `${code}: ${detail}${place}`;
}
