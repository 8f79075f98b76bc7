import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKey } from "../../auth/api-keys.ts";
import type { ApiKey } from "../../generated/prisma/client.ts";
import { viewerOf } from "../../plugins/auth.ts";
import type { Services } from "../../services.ts";
import { type IdParams, idParams } from "./shapes.ts";

const newKey = z.strictObject({
  name: z.string().min(1).max(120),
  role: z.enum(["admin", "editor", "viewer"]).transform((role) => role.toUpperCase() as "ADMIN" | "EDITOR" | "VIEWER"),
  project: z.string().optional().describe("Binds the key to one project"),
  expiresInDays: z.number().int().positive().max(3650).optional(),
});

export async function apiKeyRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const tags = ["api-keys"];
  app.get("/v1/api-keys", { schema: { tags } }, async (request) => ({
    items: (await listApiKeys(services, viewerOf(request))).map(present),
  }));
  app.post<{ Body: z.infer<typeof newKey> }>(
    "/v1/api-keys",
    { schema: { tags, body: newKey } },
    async (request, reply) => {
      const { key, secret } = await createApiKey(services, viewerOf(request), request.body);
      return reply.code(201).send({ ...present(key), secret });
    },
  );
  app.delete<IdParams>("/v1/api-keys/:id", { schema: { tags, params: idParams } }, async (request, reply) => {
    await revokeApiKey(services, viewerOf(request), request.params.id);
    return reply.code(204).send();
  });
}

/** Everything but the hash. */
function present({ hash: _hash, role, ...key }: ApiKey) {
  return { ...key, role: role.toLowerCase() };
}
