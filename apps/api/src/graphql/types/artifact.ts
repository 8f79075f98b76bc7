import type { BlobAnswer } from "@hopwise/contracts";
import { blobsOf } from "../../database/stored-json.ts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";

const Blob = builder.objectRef<BlobAnswer>("Blob").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    sha256: t.exposeString("sha256"),
    dtype: t.exposeString("dtype", { nullable: true }),
    shape: t.field({ type: ["SafeInt"], nullable: true, resolve: (blob) => blob.shape && [...blob.shape] }),
  }),
});

export const ArtifactType = builder.prismaObject("Artifact", {
  fields: (t) => ({
    id: t.exposeID("id"),
    kind: t.exposeString("kind"),
    digest: t.exposeString("digest"),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    attempt: t.exposeInt("attempt", { nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    info: t.expose("info", { type: "JSON", complexity: costs.json }),
    blobs: t.field({
      type: [Blob],
      select: { blobs: true },
      resolve: (artifact) => [...blobsOf(artifact)],
    }),
    url: t.string({
      description: "Its manifest; add ?blob=<name> for the bytes",
      select: { id: true },
      resolve: (artifact) => `/v1/artifacts/${artifact.id}`,
    }),
  }),
});

export const CheckpointType = builder.prismaObject("Artifact", {
  variant: "Checkpoint",
  fields: (t) => ({
    id: t.exposeID("id"),
    epoch: t.exposeInt("epoch", { nullable: true }),
    step: t.exposeInt("step", { nullable: true }),
    attempt: t.exposeInt("attempt", { nullable: true }),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    artifact: t.variant("Artifact"),
  }),
});
