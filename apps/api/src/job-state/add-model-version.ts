import { type GraphForm, graphFormOf } from "@hopwise/contracts";
import { newId } from "../database/ids.ts";
import { artifactInfo, datasetSpecOf } from "../database/stored-json.ts";
import type { DatasetVersion, Job, ModelVersion, Prisma } from "../generated/prisma/client.ts";

/** The model of a job, and under which name it is kept. */
export interface KeptModel {
  readonly name: string;
  readonly note: string;
  readonly job: Pick<Job, "id" | "projectId" | "spec" | "datasetName">;
  readonly artifactId: string;
  readonly trainedOn: GraphForm;
  /** `ds_…@2` */
  readonly dataset: string;
  readonly userId: string;
  /** It was trained elsewhere */
  readonly isUploaded?: boolean;
}

/**
 * The next version of the model of this name, which is made if there is none. What was kept under it before is found
 * again: a job's model is one version of a model.
 */
export async function addModelVersion(tx: Prisma.TransactionClient, kept: KeptModel): Promise<ModelVersion> {
  const { job, name, artifactId, userId } = kept;
  const { projectId } = job;
  const model = await tx.registeredModel.upsert({
    where: { projectId_name: { projectId, name } },
    create: { id: newId("mdl"), projectId, name, createdBy: userId },
    update: {},
  });
  const known = await tx.modelVersion.findUnique({
    where: { modelId_artifactId: { modelId: model.id, artifactId } },
  });
  if (known) return known;
  // Locks the row until the transaction ends: of two at the same time each gets a number of its own.
  const { nextNumber } = await tx.registeredModel.update({
    where: { id: model.id },
    data: { nextNumber: { increment: 1 } },
  });
  return tx.modelVersion.create({
    data: {
      id: newId("mv"),
      projectId,
      modelId: model.id,
      number: nextNumber - 1,
      note: kept.note,
      artifactId,
      jobId: job.id,
      dataset: kept.dataset,
      datasetName: job.datasetName ?? "",
      trainedOn: kept.trainedOn,
      spec: job.spec as Prisma.InputJsonValue,
      isUploaded: kept.isUploaded ?? false,
      createdBy: userId,
    },
  });
}

export interface FormedVersion {
  readonly trainedOn: GraphForm;
  readonly dataset: string;
}

/** The form of a dataset version's graph, and how jobs name the version; null: its graph is not stored any more. */
export async function formOfVersion(
  tx: Pick<Prisma.TransactionClient, "datasetVersion">,
  versionId: string | null,
): Promise<FormedVersion | null> {
  if (versionId === null) return null;
  const version = await tx.datasetVersion.findUnique({ where: { id: versionId }, include: { graph: true } });
  if (!version?.graph) return null;
  const trainedOn = graphFormOf(artifactInfo("graph", version.graph.info), datasetSpecOf(version));
  return { trainedOn, dataset: refOf(version) };
}

function refOf({ datasetId, number }: Pick<DatasetVersion, "datasetId" | "number">): string {
  return `${datasetId}@${number}`;
}
