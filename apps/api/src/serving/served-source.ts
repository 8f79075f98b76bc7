import { AppError, type ArtifactRef, type ServedSource } from "@hopwise/contracts";
import { asTrained, type GraphReading, graphReading } from "@hopwise/gnn-core/spec";
import { noSuchVersion } from "../auth/no-such-version.ts";
import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import type { Artifact, Job } from "../generated/prisma/client.ts";
import { stageOutput } from "../jobs/job-artifacts.ts";
import { allArchived, numbersOf } from "../models/applicable-version.ts";
import type { Services } from "../services.ts";

/** Rows that can be asked about, and what an answer says of where they come from. */
export interface Served {
  readonly source: ServedSource;
  readonly projectId: string;
  readonly job: string;
  /** The dataset version, id@number */
  readonly dataset: string;
  /** name@number; null: a job was asked */
  readonly model: string | null;
}

/** Which rows of a model are asked for */
export interface ModelChoice {
  /** Left out: the version in production, else the newest candidate */
  readonly version?: number | null | undefined;
  /** id@number; left out: those of the job that ended last */
  readonly dataset?: string | null | undefined;
}

/**
 * The rows of a job that trained or applied a model.
 *
 * @throws AppError JOB_WITHOUT_RESULTS, REQUEST_CONFLICT while the job has not succeeded
 */
export async function servedByJob(services: Services, job: Job): Promise<Served> {
  if (job.state !== "SUCCEEDED" && (job.kind === "train" || job.kind === "infer")) {
    throw new AppError(
      "REQUEST_CONFLICT",
      `The job is ${job.state}; its rows can be asked about once it has SUCCEEDED.`,
    );
  }
  const served = await rowsOf(services, job);
  if (served) return served;
  const found = "This job has no rows of nodes, or they or their graph are not stored any more";
  throw new AppError("JOB_WITHOUT_RESULTS", `${found}; ask a job that trained or applied a model, or run it again.`);
}

/**
 * The rows of a version of a model: of the job that trained it and those that applied it, the one that ended last on
 * the dataset version that is asked for, or on any.
 *
 * @throws AppError REQUEST_NOT_FOUND, JOB_WITHOUT_RESULTS when no such job has rows
 */
export async function servedByModel(
  services: Services,
  viewer: Viewer,
  modelId: string,
  choice: ModelChoice,
): Promise<Served> {
  const { prisma } = services;
  const model = await prisma.registeredModel.findFirst({ where: { id: modelId, ...visible(viewer) } });
  if (!model) throw notFound("model", modelId);
  const asked = choice.version ?? undefined;
  const version = await versionOf(services, model.id, asked);
  if (!version) {
    const numbers = await numbersOf(prisma, model.id);
    throw asked === undefined
      ? allArchived("REQUEST_NOT_FOUND", model.name, numbers, "/version")
      : noSuchVersion("model", model.name, asked, numbers);
  }
  const ref = `${model.name}@${version.number}`;
  if (choice.dataset) await requireVersion(services, model.projectId, choice.dataset);
  const jobs = await prisma.job.findMany({
    where: {
      OR: [{ id: version.jobId ?? "" }, { modelArtifactId: version.artifactId, kind: "infer" }],
      projectId: model.projectId,
      state: "SUCCEEDED",
      deletedAt: null,
      ...(choice.dataset ? { datasetVersion: versionNamed(choice.dataset) } : {}),
    },
    orderBy: [{ finishedAt: "desc" }, { id: "desc" }],
    take: 20,
  });
  for (const job of jobs) {
    const served = await rowsOf(services, job);
    if (served) return { ...served, model: ref };
  }
  const where = choice.dataset ? ` on ${choice.dataset}` : "";
  throw new AppError(
    "JOB_WITHOUT_RESULTS",
    `No job has rows of ${ref}${where}; apply it by a job of the kind "infer", and ask again when that has SUCCEEDED.`,
  );
}

async function versionOf({ prisma }: Services, modelId: string, number: number | undefined) {
  if (number !== undefined) return prisma.modelVersion.findFirst({ where: { modelId, number } });
  const newest = (stage: "PRODUCTION" | "CANDIDATE") =>
    prisma.modelVersion.findFirst({ where: { modelId, stage }, orderBy: { number: "desc" } });
  return (await newest("PRODUCTION")) ?? newest("CANDIDATE");
}

/** @throws AppError REQUEST_INVALID when it names no version */
function versionNamed(dataset: string): { datasetId: string; number: number } {
  const [, datasetId = "", number = ""] = /^(.+)@(\d{1,9})$/.exec(dataset) ?? [];
  if (datasetId !== "") return { datasetId, number: Number(number) };
  throw new AppError("REQUEST_INVALID", `"${dataset}" names no dataset version; expected id@number, such as ds_…@2.`, {
    place: { pointer: "/dataset" },
  });
}

/** @throws AppError REQUEST_NOT_FOUND, REQUEST_INVALID */
async function requireVersion({ prisma }: Services, projectId: string, dataset: string): Promise<void> {
  const { datasetId, number } = versionNamed(dataset);
  const versions = await prisma.datasetVersion.findMany({
    where: { datasetId, dataset: { projectId, deletedAt: null } },
    orderBy: { number: "desc" },
    select: { number: true },
  });
  const numbers = versions.map((version) => version.number);
  if (numbers.includes(number)) return;
  throw numbers.length === 0 ? notFound("dataset", datasetId) : noSuchVersion("dataset", datasetId, number, numbers);
}

/** null: the job has none, or its graph is not stored any more. */
async function rowsOf(services: Services, job: Job): Promise<Served | null> {
  const remapped = await stageOutput(services, job.id, "remapped");
  if (!remapped || job.datasetVersionId === null) return null;
  const version = await services.prisma.datasetVersion.findUnique({ where: { id: job.datasetVersionId } });
  const graph =
    version?.graphId && (await services.prisma.artifact.findFirst({ where: { id: version.graphId, deletedAt: null } }));
  if (!version || !graph) return null;
  const [model, parts, reading] = await Promise.all([
    modelOf(services, job),
    stageOutput(services, job.id, "parts"),
    readingOf(services, job),
  ]);
  return {
    source: {
      remapped: refOf(remapped),
      graph: refOf(graph),
      model: model && refOf(model),
      parts: parts && refOf(parts),
      reading,
    },
    projectId: job.projectId,
    job: job.id,
    dataset: `${version.datasetId}@${version.number}`,
    model: null,
  };
}

/** The model that a job trained, or that it applied; null: it is not stored any more. */
async function modelOf(services: Services, job: Job): Promise<Artifact | null> {
  if (job.kind !== "infer") return stageOutput(services, job.id, "model");
  const id = job.modelArtifactId;
  return id === null ? null : services.prisma.artifact.findFirst({ where: { id, deletedAt: null } });
}

/** How the job's model reads the graph, as the job was planned when it was submitted */
async function readingOf({ prisma }: Services, job: Job): Promise<GraphReading> {
  if (job.kind !== "infer") return asTrained;
  const stages = await prisma.stage.findMany({
    where: { jobId: job.id, kind: { in: ["partition", "infer"] } },
    select: { options: true },
  });
  const options: Record<string, unknown> = Object.assign({}, ...stages.map((stage) => stage.options));
  return graphReading.parse({ columns: options["columns"] ?? null, types: options["types"] ?? null });
}

function refOf({ id, kind, prefix, digest }: Artifact): ArtifactRef {
  return { id, kind, prefix, digest };
}
