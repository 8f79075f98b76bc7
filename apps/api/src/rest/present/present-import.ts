import {
  type ImportAnswer,
  type ImportProposalAnswer,
  limits,
  type PublishedDatasetAnswer,
  type SourceCredentialAnswer,
} from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import type { SourceCredential } from "../../generated/prisma/client.ts";
import { type ImportWithFiles, progressOf } from "../../imports/import-queries.ts";
import type { ImportProposal } from "../../imports/propose-import.ts";
import type { PublishedDataset } from "../../imports/published/published-dataset.ts";
import { mirrored } from "../../imports/published/published-datasets.ts";
import { shapeOf } from "../../imports/source-credentials.ts";
import { isoOrNull } from "./times.ts";

export function presentImport(row: ImportWithFiles): ImportAnswer {
  const {
    id,
    datasetId,
    state,
    adds,
    waitReason,
    published,
    versionId,
    jobId,
    createdBy,
    createdAt,
    startedAt,
    finishedAt,
  } = row;
  const files = row.files.map(({ bytesDone, bytesTotal, rowsDone, ...file }) => {
    const { name, source, query, credential, expectedSha256, sha256, storedAs } = file;
    const rows = rowsDone === null ? null : Number(rowsDone);
    const total = bytesTotal === null ? null : Number(bytesTotal);
    const progress = { bytesDone: Number(bytesDone), bytesTotal: total, rowsDone: rows };
    return { name, source, query, credential, expectedSha256, ...progress, sha256, storedAs };
  });
  return {
    id,
    datasetId,
    state,
    adds,
    files,
    ...progressOf(row),
    waitReason,
    published,
    version: versionId,
    jobId,
    problem: problemOfRow(row),
    createdBy,
    createdAt: createdAt.toISOString(),
    startedAt: isoOrNull(startedAt),
    finishedAt: isoOrNull(finishedAt),
  };
}

export function presentSourceCredential(credential: SourceCredential): SourceCredentialAnswer {
  const { id, name, projectId, createdBy, createdAt } = credential;
  return { id, name, ...shapeOf(credential), projectId, createdBy, createdAt: createdAt.toISOString() };
}

export function presentImportProposal({ url, files, leftOut }: ImportProposal): ImportProposalAnswer {
  const shown = files.map((file) => ({ ...file, joins: [...file.joins], notes: [...file.notes] }));
  return { url, files: shown, leftOut: [...leftOut], mostFiles: limits.filesPerDataset };
}

export function presentPublishedDataset(
  { files, ...facts }: PublishedDataset,
  mirror: string | null,
): PublishedDatasetAnswer {
  return { ...facts, files: files.map((file) => ({ ...file, url: mirrored(file.url, mirror) })) };
}
