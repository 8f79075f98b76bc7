import { apiKeyRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { createApiKey, listApiKeys, revokeApiKey } from "../../auth/api-keys.ts";
import type { Role } from "../../generated/prisma/client.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { presentApiKey } from "../../rest/present/present-account.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

export async function apiKeyRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, routes.listApiKeys, async (request) => ({
    items: (await listApiKeys(services, viewerOf(request))).map(presentApiKey),
  }));
  serve(app, routes.createApiKey, async (request) => {
    const { role, ...draft } = request.body;
    const asked = { ...draft, role: role.toUpperCase() as Role };
    const { key, secret } = await createApiKey(services, viewerOf(request), asked);
    return { ...presentApiKey(key), secret };
  });
  serve(app, routes.revokeApiKey, async (request) => revokeApiKey(services, viewerOf(request), request.params.id));
}
