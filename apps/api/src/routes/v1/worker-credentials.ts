import type { FastifyInstance } from "fastify";
import { z } from "zod";
import {
  createWorkerCredential,
  listWorkerCredentials,
  revokeWorkerCredential,
  shownCredential,
} from "../../auth/worker-credentials.ts";
import { viewerOf } from "../../plugins/auth.ts";
import type { Services } from "../../services.ts";
import { type IdParams, idParams } from "./shapes.ts";

const newCredential = z.strictObject({
  workerId: z.string().max(200).describe("1 to 64 of A-Z a-z 0-9 . _ -; one that has a credential gets a new password"),
});

export async function workerCredentialRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const tags = ["workers"];
  app.get("/v1/worker-credentials", { schema: { tags } }, async (request) => ({
    items: (await listWorkerCredentials(services, viewerOf(request))).map(shownCredential),
  }));
  app.post<{ Body: z.infer<typeof newCredential> }>(
    "/v1/worker-credentials",
    { schema: { tags, body: newCredential } },
    async (request, reply) => {
      const issued = await createWorkerCredential(services, viewerOf(request), request.body.workerId);
      const { credential, password, warning } = issued;
      return reply.code(201).send({ ...shownCredential(credential), password, warning });
    },
  );
  app.delete<IdParams>("/v1/worker-credentials/:id", { schema: { tags, params: idParams } }, async (request, reply) => {
    await revokeWorkerCredential(services, viewerOf(request), request.params.id);
    return reply.code(204).send();
  });
}
