import type { DatasetAnswer, DatasetDetails, DatasetVersionAnswer, SourceFileAnswer } from "@hopwise/contracts";
import { artifactInfo, problemOfRow, recordOrNull } from "../../database/stored-json.ts";
import type { Artifact, Dataset, DatasetVersion, SourceFile } from "../../generated/prisma/client.ts";
import { isoOrNull } from "./times.ts";

/** A version with its files and its graph. */
export type LoadedVersion = DatasetVersion & {
  readonly sources: readonly SourceFile[];
  readonly graph: Pick<Artifact, "id" | "digest" | "info"> | null;
};
export type LoadedDataset = Dataset & { readonly versions: readonly LoadedVersion[] };

export function presentDataset({ id, projectId, name, createdBy, createdAt }: Dataset): DatasetAnswer {
  return { id, projectId, name, createdBy, createdAt: createdAt.toISOString() };
}

export function presentDatasetDetails(dataset: LoadedDataset): DatasetDetails {
  return { ...presentDataset(dataset), versions: dataset.versions.map(presentVersion) };
}

export function presentSourceFile(file: SourceFile): SourceFileAnswer {
  const { id, name, bytes, sha256, source, importId, carriedFrom, createdAt } = file;
  return { id, name, bytes: Number(bytes), sha256, source, importId, carriedFrom, createdAt: createdAt.toISOString() };
}

export function presentVersion(version: LoadedVersion): DatasetVersionAnswer {
  const { id, datasetId, number, state, addsTo, contentHash, graph } = version;
  return {
    id,
    number,
    ref: `${datasetId}@${number}`,
    state,
    addsTo,
    contentHash,
    spec: recordOrNull(version.spec),
    problem: problemOfRow(version),
    createdAt: version.createdAt.toISOString(),
    readyAt: isoOrNull(version.readyAt),
    sources: version.sources.map(presentSourceFile),
    graph: graph && { id: graph.id, digest: graph.digest, info: artifactInfo("graph", graph.info) },
  };
}
