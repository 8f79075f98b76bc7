import { AppError, graphObjection, isInferSpec, type JobEstimateAnswer, resolveJobSpec } from "@hopwise/contracts";
import { estimateWithComponents } from "@hopwise/gnn-core/estimate";
import type { Viewer } from "../auth/viewer.ts";
import { artifactInfo } from "../database/stored-json.ts";
import { checkVectors } from "../datasets/check-vectors.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { startModelOf, withStart } from "../models/start-model.ts";
import type { Services } from "../services.ts";
import { checkContinuation } from "./check-continuation.ts";
import { largestDevice } from "./device-room.ts";
import { estimateNotes } from "./estimate-notes.ts";
import { filledByDataset } from "./filled-by-dataset.ts";
import { fitOn, onlineWorkers } from "./fit-on-workers.ts";
import { forecastStages } from "./forecast-stages.ts";
import type { Objection } from "./objection.ts";
import { measuredTimeScale, timeParts } from "./time-scale.ts";
import { unreadColumns } from "./unread-columns.ts";

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
  const asked = resolveJobSpec(input, services.registry);
  const version = await getVersion(services, viewer, asked.dataset);
  const graph = version.graphId && (await services.prisma.artifact.findUnique({ where: { id: version.graphId } }));
  const info = graph ? artifactInfo("graph", graph.info) : null;
  if (!graph || !info) {
    throw new AppError(
      "DATASET_NOT_READY",
      `Dataset ${asked.dataset} is ${version.state}; confirm its columns and wait until it is READY.`,
      { place: { pointer: "/dataset" } },
    );
  }
  const given = { sent: input, resolved: asked };
  const { spec, notes: filledIn } = filledByDataset(given, version, info, services.registry);
  await checkVectors(services, spec, version);
  const start = await startModelOf(services, version.projectId, spec, version);
  const named = withStart(spec, start);
  await checkContinuation(services, version.projectId, named, version.id);
  const objection = graphObjection(spec, info, services.registry);
  if (objection) throw new AppError("JOB_SPEC_INVALID", objection.message, { place: { pointer: objection.pointer } });
  const { ranks, samplers, graph: placement, features } = spec.resources;
  const threadsPerRank = spec.resources.threadsPerRank === "auto" ? 1 : spec.resources.threadsPerRank;
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
  const scale = await measuredTimeScale(services, version.projectId, spec.model.type, needs);
  const { overheadSeconds, workSeconds } = timeParts(explanation);
  const seconds = needs.seconds === null ? null : overheadSeconds * scale.overhead + workSeconds * scale.work;
  const { objections, notes: ofWorkers } = await fitOn(services, workers, needs, spec.resources);
  const notes = [...ofWorkers, ...filledIn, ...estimateNotes(needs, spec, scale)];
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
