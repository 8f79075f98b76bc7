import type { ModelAnswer, ModelCard, ModelVersionAnswer } from "@hopwise/contracts";
import { blobsOf, infoOf, specOf, trainedOnOf } from "../../database/stored-json.ts";
import { shownModelOf } from "../../jobs/job-artifacts.ts";
import type { CardedVersion } from "../../models/model-card.ts";
import { refOfVersion, type ShownModel, type ShownVersion } from "../../models/model-queries.ts";
import { shownStage } from "../../models/stages.ts";
import { isoOrNull } from "./times.ts";

export function presentModel(model: ShownModel): ModelAnswer {
  const { id, projectId, name, createdBy, createdAt, versions } = model;
  return { id, projectId, name, createdBy, createdAt: createdAt.toISOString(), versions: versions.map(presentVersion) };
}

export function presentVersion(version: ShownVersion): ModelVersionAnswer {
  const { id, projectId, modelId, model, number, stage, note, jobId, isUploaded, dataset, datasetName, createdBy } =
    version;
  const { model: shown, metrics = {} } = shownModelOf(version.artifact);
  return {
    id,
    projectId,
    modelId,
    name: model.name,
    number,
    ref: refOfVersion(version),
    stage: shownStage(stage),
    note,
    jobId,
    isUploaded,
    dataset,
    datasetName,
    modelType: shown?.type ?? "",
    metrics,
    bytes: Number(version.artifact.bytes),
    createdBy,
    createdAt: version.createdAt.toISOString(),
    stageChangedAt: isoOrNull(version.stageChangedAt),
  };
}

export function presentCard({ version, artifact, usedBy }: CardedVersion): ModelCard {
  return {
    ...presentVersion(version),
    artifactId: artifact.id,
    digest: artifact.digest,
    trainedOn: trainedOnOf(version),
    info: infoOf(artifact),
    spec: specOf(version),
    files: blobsOf(artifact).map(({ name, bytes, sha256 }) => ({
      name,
      bytes,
      sha256,
      url: fileUrl(artifact.id, name),
    })),
    usedBy: [...usedBy],
  };
}

function fileUrl(artifactId: string, name: string): string {
  return `/v1/artifacts/${artifactId}?blob=${encodeURIComponent(name)}`;
}
