import type { ResumableUploadAnswer } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import type { Upload } from "../../generated/prisma/client.ts";

export function presentUpload(row: Upload): ResumableUploadAnswer {
  const { id, datasetId, name, state, expectedSha256, fingerprint, replaces, sha256, versionId, createdBy } = row;
  return {
    id,
    datasetId,
    name,
    state,
    bytesDone: Number(row.state === "RECEIVING" ? row.bytesDone : row.bytesTotal),
    bytesTotal: Number(row.bytesTotal),
    bytesFinished: Number(row.state === "DONE" ? row.bytesTotal : row.bytesFinished),
    expectedSha256,
    fingerprint,
    replaces,
    sha256,
    version: versionId,
    problem: problemOfRow(row),
    createdBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
