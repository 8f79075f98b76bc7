import { servingRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { viewerOf } from "../../plugins/auth.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** Single questions about the rows of jobs and models. */
export async function servingRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { serving } = services;
  const costly = { config: { costly: true, readsOnly: true } };
  serve(
    app,
    routes.findJobNeighbors,
    async (request) => serving.neighbors(services, viewerOf(request), { job: request.params.id }, request.body),
    costly,
  );
  serve(
    app,
    routes.predictByJob,
    async (request) => serving.predict(services, viewerOf(request), { job: request.params.id }, request.body),
    costly,
  );
  serve(
    app,
    routes.findModelNeighbors,
    async (request) => {
      const { version, dataset, ...query } = request.body;
      return serving.neighbors(services, viewerOf(request), { model: request.params.id, version, dataset }, query);
    },
    costly,
  );
  serve(
    app,
    routes.predict,
    async (request) => {
      const { version, dataset, ...query } = request.body;
      return serving.predict(services, viewerOf(request), { model: request.params.id, version, dataset }, query);
    },
    costly,
  );
}
