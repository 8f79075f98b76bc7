import {
  AppError,
  type ErrorCode,
  graphObjection,
  isInferSpec,
  type JobEstimateAnswer,
  type JobSpec,
  resolveJobSpec,
} from "@hopwise/contracts";
import {
  type EstimatedPlacement,
  estimateWithComponents,
  type JobEstimate,
  joinedDevicesWords,
  type LearnedPlacement,
  learnedPlacementWords,
  placementWords,
  samplingWords,
  type TimeScale,
} from "@hopwise/gnn-core/estimate";
import type { Viewer } from "../auth/viewer.ts";
import { artifactInfo } from "../database/stored-json.ts";
import { checkVectors } from "../datasets/check-vectors.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { checkAgainstDataset } from "../datasets/trainable-version.ts";
import { startModelOf, withStart } from "../models/start-model.ts";
import type { Services } from "../services.ts";
import { capacityOf } from "../workers/capacity.ts";
import { shownWorkerState } from "../workers/worker-directory.ts";
import { checkContinuation } from "./check-continuation.ts";
import { hasDevice, judgeDevice, type OnlineWorker } from "./device-objection.ts";
import { deviceObjections, largestDevice } from "./device-room.ts";
import { forecastStages } from "./forecast-stages.ts";
import { measuredTimeScale, timeParts } from "./time-scale.ts";
import { unreadColumns } from "./unread-columns.ts";

/** Why no online worker can run a job, and the part of its spec that says so. */
export interface Objection {
  readonly code: Extract<ErrorCode, "JOB_DEVICE_UNAVAILABLE" | "JOB_TOO_LARGE">;
  readonly pointer: string;
  readonly detail: string;
}

/**
 * What a training job will need, from its graph's counts and the components' own formulas.
 *
 * @throws AppError JOB_SPEC_INVALID, REQUEST_NOT_FOUND, DATASET_NOT_READY
 */
export async function estimateJob(services: Services, viewer: Viewer, input: unknown): Promise<JobEstimateAnswer> {
  return (await estimateAndFit(services, viewer, input)).estimate;
}

/** The estimate with what speaks against running the job on the workers there are. */
export async function estimateAndFit(
  services: Services,
  viewer: Viewer,
  input: unknown,
): Promise<{ estimate: JobEstimateAnswer; objections: readonly Objection[] }> {
  if (isInferSpec(input)) {
    const detail = "/kind: Only training jobs are estimated; submit a job that applies a model as it is.";
    throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer: "/kind" } });
  }
  const spec = resolveJobSpec(input, services.registry);
  const version = await getVersion(services, viewer, spec.dataset);
  const graph = version.graphId && (await services.prisma.artifact.findUnique({ where: { id: version.graphId } }));
  const info = graph ? artifactInfo("graph", graph.info) : null;
  if (!graph || !info) {
    throw new AppError(
      "DATASET_NOT_READY",
      `Dataset ${spec.dataset} is ${version.state}; confirm its columns and wait until it is READY.`,
      { place: { pointer: "/dataset" } },
    );
  }
  checkAgainstDataset(spec, version, services.registry);
  await checkVectors(services, spec, version);
  const start = await startModelOf(services, version.projectId, spec, version);
  const named = withStart(spec, start);
  await checkContinuation(services, version.projectId, named, version.id);
  const objection = graphObjection(spec, info, services.registry);
  if (objection) throw new AppError("JOB_SPEC_INVALID", objection.message, { place: { pointer: objection.pointer } });
  const { ranks, samplers, threadsPerRank: asked, graph: placement, features } = spec.resources;
  const threadsPerRank = asked === "auto" ? 1 : asked;
  const workers = await onlineWorkers(services);
  const device = largestDevice(workers, spec.resources.device);
  const resources = { ranks, samplers, threadsPerRank, device, graph: placement, features };
  const needs = estimateWithComponents(
    info,
    { ...spec, numFrozenParameters: start?.numFrozen ?? 0 },
    services.registry,
    resources,
  );
  const { memoryBytesPerRank, memoryBytesPerSampler, deviceBytesPerRank, memoryBytes, diskBytes, explanation } = needs;
  const { type } = spec.model;
  const scale = await measuredTimeScale(services, version.projectId, type, needs);
  const { overheadSeconds, workSeconds } = timeParts(explanation);
  const seconds = needs.seconds === null ? null : overheadSeconds * scale.overhead + workSeconds * scale.work;
  const { objections, notes } = await fitOn(services, workers, needs, spec.resources);
  if (seconds !== null) notes.push(timeNote(type, scale));
  if (needs.learnedPlacement) notes.push(learnedNote(needs.learnedPlacement, ranks));
  if (needs.samplingPlace) notes.push(`${samplingWords[needs.samplingPlace]}.`);
  if (needs.placement) notes.push(placementNote(needs.placement, features));
  const memory = { memoryBytesPerRank, memoryBytesPerSampler, deviceBytesPerRank, memoryBytes };
  const estimate = { ranks, ...memory, diskBytes, seconds, explanation: [...explanation] };
  const warnings = unreadColumns(spec, version.spec, services.registry);
  const stages = await forecastStages(services, {
    projectId: version.projectId,
    datasetVersionId: version.id,
    modelArtifactId: start?.artifactId ?? null,
    spec: named,
  });
  return { estimate: { ...estimate, fits: objections.length === 0, notes, warnings, stages }, objections };
}

/** What speaks against running it on these workers, and what its sender should know. */
async function fitOn(
  { prisma }: Services,
  workers: readonly OnlineWorker[],
  needs: Pick<JobEstimate, "memoryBytes" | "partitionPeakBytes" | "deviceBytesPerRank">,
  resources: JobSpec["resources"],
): Promise<{ objections: readonly Objection[]; notes: string[] }> {
  const { objection, note } = await judgeDevice(prisma, resources, workers, new Date());
  if (objection) return { objections: [objection], notes: [objection.detail] };
  const { device } = resources;
  const able = device === "auto" ? workers : workers.filter((worker) => hasDevice(worker, device));
  const objections =
    able.length === 0
      ? []
      : [...objectionsOf(able, needs, resources), ...deviceObjections(able, needs.deviceBytesPerRank, resources)];
  const absent = workers.length === 0 ? ["No worker is online; the job will wait for one."] : [];
  return { objections, notes: note === null ? [...absent, ...objections.map(({ detail }) => detail)] : [note] };
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

async function onlineWorkers({ prisma }: Services): Promise<OnlineWorker[]> {
  const workers = await prisma.worker.findMany({ where: { state: "ONLINE", compatible: true } });
  const now = new Date();
  return workers
    .filter((worker) => shownWorkerState(worker, now) === "ONLINE")
    .map((worker) => ({ ...capacityOf(worker), host: worker.host }));
}

function objectionsOf(
  workers: readonly OnlineWorker[],
  { memoryBytes, partitionPeakBytes }: Pick<JobEstimate, "memoryBytes" | "partitionPeakBytes">,
  { ranks, samplers, hosts }: JobSpec["resources"],
): Objection[] {
  const { alone: largest, together: memory } = mostOf(workers, hosts, "memoryBytes");
  const { alone, together: slots } = mostOf(workers, hosts, "slots");
  const where = slots > alone ? "several workers; together they have" : "one worker; the largest online has";
  const found: Objection[] = [];
  if (ranks > slots) {
    found.push({
      code: "JOB_TOO_LARGE",
      pointer: "/resources/ranks",
      detail: `The job asks for ${ranks} ranks on ${where} ${slots} slots. Set resources.ranks to ${slots} or less, or start a worker with more slots.`,
    });
  } else if (ranks + samplers > slots) {
    found.push({
      code: "JOB_TOO_LARGE",
      pointer: "/resources/samplers",
      detail: `The job asks for ${ranks} ranks and ${samplers} sampler processes on ${where} ${slots} slots. Set resources.samplers to ${slots - ranks} or less, or start a worker with more slots.`,
    });
  }
  if (memoryBytes > memory || partitionPeakBytes > largest) {
    const whose = memoryBytes > memory ? "The job needs" : "Partitioning, on one worker, needs";
    const [needed, there] = memoryBytes > memory ? [memoryBytes, memory] : [partitionPeakBytes, largest];
    const holder = there > largest ? "several workers together have" : "the largest worker has";
    const remedy = "Lower train.batchSize, the fanouts or model.options.hiddenFeats, or start a larger worker.";
    const detail = `${whose} about ${gigabytes(needed)} of memory; ${holder} ${gigabytes(there)}. ${remedy}`;
    found.push({ code: "JOB_TOO_LARGE", pointer: "/resources", detail });
  }
  return found;
}

/** What the largest worker has of it, and the most that so many workers have together which reach each other. */
function mostOf(
  workers: readonly OnlineWorker[],
  hosts: number | "auto",
  what: "slots" | "memoryBytes",
): { alone: number; together: number } {
  const alone = Math.max(...workers.map((worker) => worker[what]));
  const joined = workers.filter(({ rankAddress }) => rankAddress !== null);
  const each = joined.map((worker) => worker[what]).toSorted((a, b) => b - a);
  const shared = each.slice(0, hosts === "auto" ? each.length : hosts).reduce((sum, one) => sum + one, 0);
  return { alone, together: Math.max(alone, shared) };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
