import {
  AppError,
  classesLearnt,
  columnLayout,
  hasLearnedRows,
  type InferSpec,
  modelObjection,
  resolveInferSpec,
  tooFewGraphs,
  typesAsLearnt,
  unnamedRowsObjection,
  unreadByModel,
} from "@hopwise/contracts";
import { taskComponentOf } from "@hopwise/gnn-core/spec";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { namesItsRows, trainedOnOf, trainedSpecOf } from "../database/stored-json.ts";
import { trainableVersion, type VersionWithDataset } from "../datasets/trainable-version.ts";
import type { Job } from "../generated/prisma/client.ts";
import { taskOfJob } from "../job-state/job-task.ts";
import { planInfer } from "../job-state/plan-stages.ts";
import { findRepeat, hashOf, type JobServices, queueJob, type SubmitOptions } from "../job-state/queue-job.ts";
import { requireStillKept, type VersionToApply, versionToApply } from "../models/applicable-version.ts";
import { type GraphToFit, graphToFit } from "../models/graph-to-fit.ts";
import { projectOfSpec } from "./project-of-spec.ts";
import { requireRoom } from "./require-room.ts";

/**
 * Checks, plans and queues a job that applies a model to a dataset version. What does not fit is refused here, with
 * its place, and not where the ranks would find it.
 *
 * @throws AppError JOB_SPEC_INVALID, DATASET_NOT_READY, REQUEST_NOT_FOUND (model, dataset or project),
 * REQUEST_CONFLICT (the idempotency key belongs to another request), AUTH_FORBIDDEN, and what `requireRoom` throws
 */
export async function submitInfer(
  services: JobServices,
  viewer: Viewer,
  input: unknown,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const { prisma, registry } = services;
  const resolved = resolveInferSpec(input, registry);
  const projectId = await projectOfSpec(services, viewer, input, resolved);
  const requestHash = hashOf(input);
  const repeated = await findRepeat(services, projectId, options.idempotencyKey, requestHash);
  if (repeated) return repeated;
  const { version: applied, ref: model } = await versionToApply(prisma, projectId, resolved.model);
  const { version, ref: dataset } = await trainableVersion(services, projectId, resolved.dataset);
  const graph = await fittingGraph(services, applied, version, resolved);
  const { task, features, model: trained } = trainedSpecOf(applied);
  // What was learnt is kept with the job: it says how the results are to be read.
  const spec = { ...resolved, model, dataset, task };
  const draft = {
    kind: spec.kind,
    name: spec.name || `${model} on ${version.dataset.name}`,
    spec,
    tags: spec.tags,
    priority: spec.priority,
    projectId,
    datasetVersionId: version.id,
    modelArtifactId: applied.artifactId,
    datasetName: version.dataset.name,
    modelType: trained.type,
    numRanks: spec.resources.ranks,
    chiefMetric: taskOfJob({ kind: spec.kind, spec }, registry)?.chiefMetric ?? null,
    requestHash,
  };
  const trainedOn = trainedOnOf(applied);
  const hasRows = hasLearnedRows(trainedSpecOf(applied), trainedOn, registry);
  const classes = classesLearnt({ task }, trainedOn, registry);
  const columns = columnLayout(trainedOn.features, graph.features);
  const types = typesAsLearnt(trainedOn, graph);
  const learnt = { task, features, classes, columns, types, hasLearnedRows: hasRows };
  const stages = planInfer(resolved, learnt, graph, registry);
  const told = { ...options, warnings: unreadByModel(trainedOn, graph) };
  return queueJob(services, viewer, draft, stages, told, async (tx) => {
    await requireRoom(tx, projectId, { samplers: 0, ...spec.resources });
    await requireStillKept(tx, applied.id, model);
  });
}

/** @throws AppError JOB_SPEC_INVALID with the place of what does not fit */
async function fittingGraph(
  { prisma, registry }: JobServices,
  applied: VersionToApply,
  version: VersionWithDataset,
  spec: InferSpec,
): Promise<GraphToFit> {
  const graph = await graphToFit(prisma, version);
  const [trained, trainedOn] = [trainedSpecOf(applied), trainedOnOf(applied)];
  const { seeds } = taskComponentOf(trained.task, registry);
  if (spec.outputs.newNeighbors !== undefined && seeds !== "edges") throw withoutNeighbors();
  const ofRows = namesItsRows(applied.artifact) ? null : unnamedRowsObjection(trained, trainedOn, registry);
  const objection = ofRows
    ? ({ pointer: "/model", message: ofRows } as const)
    : (modelObjection(trained, trainedOn, graph, registry) ??
      (seeds === "graphs" ? tooFewGraphs(graph.setOfGraphs?.numGraphs ?? 0, spec.resources, spec.partition) : null));
  if (!objection) return graph;
  const { pointer, message } = objection;
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

function withoutNeighbors(): AppError {
  const pointer = "/outputs/newNeighbors";
  const message = `${pointer}: The model has not learnt links, and tells no new neighbours; leave it out.`;
  return new AppError("JOB_SPEC_INVALID", message, { place: { pointer } });
}

/** The spec that an infer job was submitted with: without what the service has added to it. */
export function submittedInferSpec({ task: _task, ...spec }: Record<string, unknown>): Partial<InferSpec> {
  return spec;
}
