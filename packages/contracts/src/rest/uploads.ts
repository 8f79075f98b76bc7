import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

/** The version of tus that is spoken: https://tus.io/protocols/resumable-upload */
export const tusVersion = "1.0.0";
export const tusExtensions = "creation,expiration,checksum,termination";
export const tusChecksums = "sha256,sha1";
/** What the body of a PATCH is. */
export const offsetBody = "application/offset+octet-stream";

export const uploadState = z
  .enum(["RECEIVING", "FINISHING", "DONE", "FAILED"])
  .describe("FINISHING: all bytes are there, and are being made a file of the dataset; DONE: it is one");

export const resumableUploadAnswer = z
  .object({
    id: z.string(),
    datasetId: z.string(),
    name: z.string().describe("The file's name"),
    state: uploadState,
    bytesDone: count.describe("From where it goes on"),
    bytesTotal: count,
    bytesFinished: count.describe("How much of it is in the dataset's file, while it is FINISHING or when it is DONE"),
    expectedSha256: z.string().nullable().describe("What the whole file must have"),
    fingerprint: z.string().nullable().describe("By which its sender knows the file again"),
    replaces: z.boolean().describe("Whether it takes the place of a file of its name"),
    sha256: z.string().nullable().describe("Digest of the whole file, once it is DONE"),
    version: z.string().nullable().describe("The version that has the file, once it is DONE"),
    problem: problem.nullable(),
    createdBy: z.string(),
    createdAt: isoTime,
    expiresAt: isoTime.describe("When it is removed, unless more of it comes before"),
  })
  .meta({ id: "ResumableUpload" });
export type ResumableUploadAnswer = z.infer<typeof resumableUploadAnswer>;

const tag = "uploads";
const version = z.string().optional().describe(`Version of tus; left out: ${tusVersion}`);

/** Uploads that go on where they were cut off, by tus 1.0; each is one file of a dataset once all of it is there. */
export const uploadRoutes = {
  describeUploads: route({
    method: "OPTIONS",
    path: "/v1/uploads",
    tag,
    summary: "What is spoken of tus, in the headers Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm",
    answers: { 204: { description: "In headers alone" } },
  }),
  listUploads: route({
    method: "GET",
    path: "/v1/datasets/:id/uploads",
    tag,
    summary: "Resumable uploads to a dataset that have not expired, the newest first",
    params: idParams,
    answers: { 200: listOf(resumableUploadAnswer) },
  }),
  beginUpload: route({
    method: "POST",
    path: "/v1/datasets/:id/uploads",
    tag,
    summary: "Begins a resumable upload of one file; its address is in the header Location",
    params: idParams,
    headers: z.object({
      "tus-resumable": version,
      "upload-length": z.string().describe("Bytes of the whole file"),
      "upload-metadata": z
        .string()
        .describe("Pairs of key and value in base64: filename; optionally sha256, replace (true), fingerprint"),
    }),
    answers: { 201: resumableUploadAnswer },
    problems: ["REQUEST_CONFLICT", "DATASET_FILE_NAME", "DATASET_FILE_EMPTY", "UPLOAD_VERSION"],
  }),
  readUpload: route({
    method: "GET",
    path: "/v1/uploads/:id",
    tag,
    summary: "How far a resumable upload is; HEAD gives that in Upload-Offset and Upload-Length",
    params: idParams,
    answers: { 200: resumableUploadAnswer },
    problems: ["UPLOAD_VERSION"],
  }),
  continueUpload: route({
    method: "PATCH",
    path: "/v1/uploads/:id",
    tag,
    summary: "Sends bytes of a resumable upload from Upload-Offset on; those that arrived before a cut stay",
    params: idParams,
    headers: z.object({
      "tus-resumable": version,
      "upload-offset": z.string(),
      "upload-checksum": z
        .string()
        .optional()
        .describe("Algorithm and digest in base64 of this body, which is kept only if it has that; 16 MiB at most"),
    }),
    consumes: [offsetBody],
    answers: { 204: { description: "They are stored; Upload-Offset says how far the upload is" } },
    problems: [
      "REQUEST_CONFLICT",
      "UPLOAD_CHECKSUM",
      "UPLOAD_VERSION",
      "DATASET_FILE_NAME",
      "DATASET_FILE_EMPTY",
      "DATASET_NOT_READY",
    ],
  }),
  endUpload: route({
    method: "DELETE",
    path: "/v1/uploads/:id",
    tag,
    summary: "Gives an upload up, and removes what has come of it",
    params: idParams,
    answers: { 204: { description: "It is gone" } },
    problems: ["REQUEST_CONFLICT", "UPLOAD_VERSION"],
  }),
};
