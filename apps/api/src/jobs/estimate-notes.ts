import type { JobSpec } from "@hopwise/contracts";
import {
  type EstimatedPlacement,
  type JobEstimate,
  joinedDevicesWords,
  type LearnedPlacement,
  learnedPlacementWords,
  placementWords,
  samplingWords,
  type TimeScale,
} from "@hopwise/gnn-core/estimate";
import { gigabytes } from "./gigabytes.ts";

/** What an estimate says in words of where rows and graph will lie, and of the time: for whoever submits the job. */
export function estimateNotes(
  needs: Pick<JobEstimate, "seconds" | "learnedPlacement" | "samplingPlace" | "placement">,
  { model, resources }: Pick<JobSpec, "model" | "resources">,
  scale: TimeScale,
): string[] {
  const { seconds, learnedPlacement, samplingPlace, placement } = needs;
  return [
    ...(seconds === null ? [] : [timeNote(model.type, scale)]),
    ...(learnedPlacement ? [learnedNote(learnedPlacement, resources.ranks)] : []),
    ...(samplingPlace ? [`${samplingWords[samplingPlace]}.`] : []),
    ...(placement ? [placementNote(placement, resources.features)] : []),
  ];
}

/** Where the learned rows will lie, and what that needs of several ranks. */
function learnedNote(placement: LearnedPlacement, ranks: number): string {
  const needed = placement === "device" && ranks > 1 ? ` ${joinedDevicesWords}.` : "";
  return `${learnedPlacementWords[placement]}.${needed}`;
}

/** Where the features will lie for the devices, and why. */
function placementNote(placed: EstimatedPlacement, asked: JobSpec["resources"]["features"]): string {
  const { placement, numRows, rowBytes, deviceRows, roomBytes } = placed;
  const size = `they take ${gigabytes(numRows * rowBytes)}, and each device has ${gigabytes(roomBytes)} left for them`;
  const cached = placement === "cached" ? ` (${deviceRows} of ${numRows})` : "";
  const why = asked === placement ? "as resources.features asks" : size;
  const found = `${placementWords[placement]}${cached}: ${why}.`;
  if (placement === "sharded") return `${found} Where they cannot read each other's memory, the job's log says so.`;
  const lacking = "Shares need several ranks on a host, whose devices have room for one each.";
  return asked === "sharded" ? `${found} ${lacking}` : found;
}

function timeNote(model: string, { numJobs, overhead, work }: TimeScale): string {
  if (numJobs === 0) return `The time is estimated by formula alone: no ${model} job has succeeded here yet.`;
  const jobs = numJobs === 1 ? `the last ${model} job` : `the last ${numJobs} ${model} jobs`;
  return `The time is estimated from ${jobs} here: ${overhead.toPrecision(2)} × the formula for start and steps, ${work.toPrecision(2)} × for the work.`;
}
