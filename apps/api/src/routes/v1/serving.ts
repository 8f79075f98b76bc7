import { servingRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { viewerOf } from "../../plugins/auth.ts";
import { goneSignal } from "../../requests/gone-signal.ts";
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
    async (request, reply) => {
      const asked = { query: request.body, gone: goneSignal(reply) };
      return serving.predict(services, viewerOf(request), { job: request.params.id }, asked);
    },
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
    async (request, reply) => {
      const { version, dataset, ...query } = request.body;
      const model = { model: request.params.id, version, dataset };
      return serving.predict(services, viewerOf(request), model, { query, gone: goneSignal(reply) });
    },
    costly,
  );
  serve(
    app,
    routes.explainByJob,
    async (request, reply) => {
      const asked = { query: request.body, gone: goneSignal(reply) };
      return serving.explain(services, viewerOf(request), { job: request.params.id }, asked);
    },
    costly,
  );
  serve(
    app,
    routes.explain,
    async (request, reply) => {
      const { version, dataset, ...query } = request.body;
      const model = { model: request.params.id, version, dataset };
      return serving.explain(services, viewerOf(request), model, { query, gone: goneSignal(reply) });
    },
    costly,
  );
}
