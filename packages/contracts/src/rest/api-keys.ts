import { z } from "zod";
import { route } from "./route.ts";
import { idParams, isoTime, listOf } from "./shapes.ts";

export const roleName = z.enum(["admin", "editor", "viewer"]);
export type RoleName = z.infer<typeof roleName>;

export const apiKeyAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe("Its first characters, to recognise it"),
    role: roleName,
    projectId: z.string().nullable().describe("Set: the key sees this project only"),
    createdBy: z.string(),
    createdAt: isoTime,
    lastUsedAt: isoTime.nullable(),
    expiresAt: isoTime.nullable(),
    revokedAt: isoTime.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKeyAnswer = z.infer<typeof apiKeyAnswer>;

export const newApiKey = z.strictObject({
  name: z.string().min(1).max(120),
  role: roleName,
  project: z.string().optional().describe("Binds the key to one project"),
  expiresInDays: z.number().int().positive().max(3650).optional(),
});

const tag = "api-keys";

export const apiKeyRoutes = {
  listApiKeys: route({
    method: "GET",
    path: "/v1/api-keys",
    tag,
    summary: "The keys in use, without their secrets",
    answers: { 200: listOf(apiKeyAnswer) },
  }),
  createApiKey: route({
    method: "POST",
    path: "/v1/api-keys",
    tag,
    summary: "Makes a key; its secret is shown this once",
    body: newApiKey,
    answers: { 201: apiKeyAnswer.extend({ secret: z.string() }).meta({ id: "NewApiKey" }) },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  revokeApiKey: route({
    method: "DELETE",
    path: "/v1/api-keys/:id",
    tag,
    summary: "The key is good no more, from now on",
    params: idParams,
    answers: { 204: { description: "It is revoked" } },
  }),
};
