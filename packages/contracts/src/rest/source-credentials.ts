import { z } from "zod";
import { route } from "./route.ts";
import { idParams, isoTime, listOf } from "./shapes.ts";

export const sourceCredentialKinds = ["bearer", "basic", "header", "s3", "database", "databaseWrite"] as const;
const kind = z
  .enum(sourceCredentialKinds)
  .describe(
    "How the secret is sent: bearer: Authorization: Bearer <secret>; basic: the secret is user:password; " +
      "header: the secret is a whole header, Name: value; " +
      "s3: requests are signed (AWS Signature Version 4), and the secret is <access key id>:<secret access key>; " +
      "database: the secret is user:password, with which PostgreSQL or MySQL is signed in to, to read; " +
      "databaseWrite: the secret is user:password, with which results are written back into PostgreSQL, and nothing is read",
  );

const hosts = z
  .array(z.string().min(1).max(260))
  .min(1)
  .max(20)
  .describe("Where it may be sent: host, host:port, or *.example.com for all below; nowhere else, not by a redirect");

export const sourceCredentialAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    kind,
    hosts: z.array(z.string()),
    projectId: z.string(),
    createdBy: z.string(),
    createdAt: isoTime,
  })
  .meta({ id: "SourceCredential" });
export type SourceCredentialAnswer = z.infer<typeof sourceCredentialAnswer>;

export const newSourceCredential = z
  .strictObject({
    name: z.string().min(1).max(60),
    kind,
    hosts,
    secret: z.string().min(1).max(8000).describe("It is stored encrypted, and never shown again"),
    project: z.string().optional(),
  })
  .meta({ id: "NewSourceCredential" });
export type NewSourceCredential = z.infer<typeof newSourceCredential>;

const tag = "imports";

export const sourceCredentialRoutes = {
  listSourceCredentials: route({
    method: "GET",
    path: "/v1/source-credentials",
    tag,
    summary: "The credentials that imports and write-backs may send to others, without their secrets",
    query: z.object({ project: z.string().optional() }),
    answers: { 200: listOf(sourceCredentialAnswer) },
  }),
  createSourceCredential: route({
    method: "POST",
    path: "/v1/source-credentials",
    tag,
    summary: "Stores a credential for sources, encrypted",
    body: newSourceCredential,
    answers: { 201: sourceCredentialAnswer },
    problems: ["REQUEST_NOT_FOUND", "REQUEST_CONFLICT"],
  }),
  deleteSourceCredential: route({
    method: "DELETE",
    path: "/v1/source-credentials/:id",
    tag,
    summary: "Removes a credential; imports and write-backs that name it can do nothing more with it",
    params: idParams,
    answers: { 204: { description: "It is removed" } },
  }),
};
