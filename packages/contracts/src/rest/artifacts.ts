import { blobRef, manifest } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { route } from "./route.ts";
import { count, idParams, isoTime } from "./shapes.ts";

/** A stored file of an artifact. */
export const blobAnswer = z
  .object({
    name: z.string(),
    bytes: count,
    sha256: z.string(),
    dtype: blobRef.shape.dtype,
    shape: blobRef.shape.shape,
  })
  .meta({ id: "Blob" });
export type BlobAnswer = z.infer<typeof blobAnswer>;

export const artifactAnswer = z
  .object({
    id: z.string(),
    kind: z.string(),
    digest: z.string(),
    bytes: count,
    jobId: z.string().nullable().describe("The job that made it; null: the service did"),
    attempt: count.nullable(),
    stageIndex: count.nullable(),
    epoch: count.nullable().describe("Epoch of a checkpoint"),
    step: count.nullable().describe("Step of a checkpoint"),
    createdAt: isoTime,
    info: z.record(z.string(), z.unknown()).describe("Facts about the content; each kind has its own"),
    blobs: z.array(blobAnswer),
    url: z.string().describe("Address of its manifest; add ?blob=<name> for the bytes"),
  })
  .meta({ id: "Artifact" });
export type ArtifactAnswer = z.infer<typeof artifactAnswer>;

/** What a blob may be sent as, by the ending of its name. */
export const blobContentTypes = {
  parquet: "application/vnd.apache.parquet",
  csv: "text/csv; charset=utf-8",
  arrow: "application/vnd.apache.arrow.file",
  txt: "text/plain; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
  neo4j: "text/csv; charset=utf-8",
  pgcopy: "text/tab-separated-values; charset=utf-8",
} as const satisfies Record<string, string>;

/** Media type of a file whose ending tells nothing */
export const anyBlobType = "application/octet-stream";

const contentTypes = [...Object.values(blobContentTypes), anyBlobType];

/** What every address of a file answers, whole or in part. */
export const fileAnswers = {
  200: { description: "The file; its ETag is its SHA-256", contentTypes },
  206: { description: "The range of bytes that was asked for", contentTypes },
  304: { description: "It is the file that `If-None-Match` names" },
};

/** What every address of a file is asked with. */
export const fileHeaders = z.object({
  range: z.string().optional().describe("One range of bytes (RFC 9110 §14)"),
  "if-range": z.string().optional(),
  "if-none-match": z.string().optional(),
});

/** The manifest that `readArtifact` answers with. */
export const manifestAnswer = manifest.meta({ id: "Manifest" });

export const artifactRoutes = {
  readArtifact: route({
    method: "GET",
    path: "/v1/artifacts/:id",
    tag: "downloads",
    summary: "An artifact's manifest, or one of its blobs",
    params: idParams,
    query: z.object({ blob: z.string().max(500).optional().describe("Name of a blob; left out: the manifest") }),
    headers: fileHeaders,
    answers: {
      ...fileAnswers,
      200: {
        description: "The manifest as JSON, or the blob",
        contentTypes: ["application/json", ...contentTypes],
        schemas: { "application/json": manifestAnswer },
      },
    },
    problems: ["REQUEST_RANGE", "ARTIFACT_MISSING", "ARTIFACT_DAMAGED"],
  }),
};
