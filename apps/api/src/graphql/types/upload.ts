import { limits } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import type { Upload } from "../../generated/prisma/client.ts";
import { UploadState } from "../../generated/prisma/enums.ts";
import { endUpload } from "../../uploads/end-upload.ts";
import { getUpload, listUploads, withPresentBytes } from "../../uploads/upload-queries.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost } from "../base/costs.ts";
import { ProblemType } from "./problem.ts";

const ResumableUploadType = builder.objectRef<Upload>("ResumableUpload").implement({
  description: "One file that is sent by tus, over REST, and gone on with after a cut",
  fields: (t) => ({
    id: t.exposeID("id"),
    datasetId: t.exposeID("datasetId"),
    name: t.exposeString("name", { description: "The file's name" }),
    state: t.field({
      type: builder.enumType(UploadState, { name: "UploadState" }),
      description: "FINISHING: all bytes are there, and are being made a file of the dataset; DONE: it is one",
      resolve: ({ state }) => state,
    }),
    bytesDone: t.field({
      type: "SafeInt",
      description: "From where it goes on",
      resolve: ({ state, bytesDone, bytesTotal }) => (state === "RECEIVING" ? bytesDone : bytesTotal),
    }),
    bytesTotal: t.expose("bytesTotal", { type: "SafeInt" }),
    expectedSha256: t.exposeString("expectedSha256", {
      nullable: true,
      description: "What the whole file must have",
    }),
    fingerprint: t.exposeString("fingerprint", {
      nullable: true,
      description: "By which its sender knows the file again",
    }),
    replaces: t.exposeBoolean("replaces", { description: "Whether it takes the place of a file of its name" }),
    sha256: t.exposeString("sha256", { nullable: true, description: "Digest of the whole file, once it is DONE" }),
    version: t.exposeID("versionId", { nullable: true, description: "The version that has the file, once it is DONE" }),
    problem: t.field({ type: ProblemType, nullable: true, resolve: (row) => problemOfRow(row) }),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      description: "When it is removed, unless more of it comes before",
    }),
  }),
});

builder.queryFields((t) => ({
  uploads: t.field({
    type: [ResumableUploadType],
    description: "Resumable uploads to a dataset that have not expired, the newest first",
    complexity: listCost(limits.uploadsPerProject),
    args: { dataset: t.arg.id({ required: true }) },
    resolve: (_root, { dataset }, { services, viewer }) => listUploads(services, viewer, dataset),
  }),
  upload: t.field({
    type: ResumableUploadType,
    description: "How far a resumable upload is",
    complexity: costs.query,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) =>
      withPresentBytes(services, await getUpload(services, viewer, id)),
  }),
}));

builder.mutationFields((t) => ({
  endUpload: t.field({
    type: ResumableUploadType,
    complexity: costs.mutation,
    description: "Gives an upload up, and removes what has come of it",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => endUpload(services, viewer, id),
  }),
}));
