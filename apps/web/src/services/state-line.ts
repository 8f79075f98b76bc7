import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { formatCount, formatSeconds, humanize, secondsBetween } from "./format.ts";
import type { JobSnapshot } from "./job-state.ts";
import { secondsLeft, shareDone } from "./time-left.ts";

type Told = Pick<JobSnapshot, "state" | "stages" | "estimate" | "createdAt" | "startedAt" | "finishedAt" | "problem">;
type Stage = JobSnapshot["stages"][number];

/** What each stage does, as it is said while it does so. */
const doings: Readonly<Record<string, string>> = {
  map: "Looking into the files",
  ingest: "Building the graph",
  partition: "Partitioning the graph",
  train: "Training",
  infer: "Computing embeddings",
  remap: "Restoring your ids",
  project: "Drawing the map",
  export: "Writing the files",
};

/** What a job does, since when and until when, in one line. */
export function stateLine(job: Told, now: number): string {
  if (isTerminal(job.state)) return endLine(job, now);
  if (job.state === "CANCELLING") return "Stopping: its worker ends what it is doing";
  const running = job.stages.find(({ state }) => state === "RUNNING");
  if (!running) return waitLine(job, now);
  const left = secondsLeft(job, now);
  const doing = [doings[running.kind] ?? `Running ${running.kind}`, progressOf(running)].filter(Boolean).join(", ");
  return left === null ? doing : `${doing}, about ${formatSeconds(Math.max(1, left))} left`;
}

/** What stands in a few characters before the job's name in the browser's tab. */
export function tabMark(job: Told, now: number): string {
  if (job.state === "SUCCEEDED") return "✓";
  if (job.state === "FAILED") return "✗";
  if (job.state !== "RUNNING") return "";
  return `${Math.floor(shareDone(job, now) * 100)} %`;
}

function endLine({ state, stages, startedAt, finishedAt, createdAt, problem }: Told, now: number): string {
  const took = secondsBetween(startedAt, finishedAt, now);
  const after = took === null ? "" : ` after ${formatSeconds(took)}`;
  const ago = finishedAt ? `, ${agoOf(finishedAt, now)}` : "";
  if (state === "SUCCEEDED") return took === null ? `Finished${ago}` : `Finished in ${formatSeconds(took)}${ago}`;
  if (state === "CANCELLED") return took === null ? `Cancelled before it started${ago}` : `Cancelled${after}${ago}`;
  const failed = stages.find((stage) => stage.state === "FAILED");
  const where = failed ? ` in ${failed.kind}` : "";
  const since = took === null ? ` ${agoOf(createdAt, now)}` : after;
  return `Failed${where}${since}${problem ? `: ${lowerFirst(problem.title)}` : ""}`;
}

function waitLine({ state, stages, startedAt, createdAt }: Told, now: number): string {
  if (state !== "QUEUED" && state !== "RUNNING") return humanize(state.toLowerCase());
  const queued = stages.find((stage) => stage.state === "QUEUED");
  if (queued) return `A worker is about to begin ${queued.kind}`;
  if (startedAt) return "Between two stages: waiting for a worker";
  return `Waiting for a worker for ${formatSeconds(secondsBetween(createdAt, null, now))}`;
}

/** Epochs are what a reader counts by; of another phase the name says enough, the stepper has its figures. */
function progressOf({ phase, completed, total, unit }: Stage): string {
  if (!total || unit !== "epochs") return phase ?? "";
  return `epoch ${formatCount(completed ?? 0)} of ${formatCount(total)}`;
}

function agoOf(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (seconds < 45) return "just now";
  const days = Math.floor(seconds / 86_400);
  if (days > 0) return days === 1 ? "yesterday" : `${days} days ago`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
