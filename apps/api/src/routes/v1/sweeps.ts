import { sweepRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { viewerOf } from "../../plugins/auth.ts";
import { presentVersion } from "../../rest/present/present-model.ts";
import { presentPage } from "../../rest/present/present-page.ts";
import { presentSummedSweep, presentSweep } from "../../rest/present/present-sweep.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { cancelSweep, deleteSweep } from "../../sweeps/change-sweep.ts";
import { promoteSweep } from "../../sweeps/promote-sweep.ts";
import { submitSweep } from "../../sweeps/submit-sweep.ts";
import { getSweep, listSweeps, sumUp } from "../../sweeps/sweep-queries.ts";
import { idempotencyKeyOf } from "./jobs.ts";

const costly = { config: { costly: true } };

/** Training jobs that are submitted as one, and compared. */
export async function sweepRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(
    app,
    routes.listSweeps,
    async (request) => presentPage(await listSweeps(services, viewerOf(request), request.query), presentSweep),
    costly,
  );
  serve(
    app,
    routes.submitSweep,
    async (request, reply) => {
      const viewer = viewerOf(request);
      const options = { idempotencyKey: idempotencyKeyOf(request), requestId: request.id };
      const { id } = await submitSweep(services, viewer, request.body, options);
      reply.header("location", `/v1/sweeps/${id}`);
      return presentSweep(await getSweep(services, viewer, id));
    },
    costly,
  );
  serve(
    app,
    routes.readSweep,
    async (request) =>
      presentSummedSweep(await sumUp(services, await getSweep(services, viewerOf(request), request.params.id))),
    costly,
  );
  serve(
    app,
    routes.cancelSweep,
    async (request) => presentSweep(await cancelSweep(services, viewerOf(request), request.params.id)),
    costly,
  );
  serve(app, routes.promoteSweep, async (request, reply) => {
    const version = await promoteSweep(services, viewerOf(request), request.params.id, request.body);
    reply.header("location", `/v1/model-versions/${version.id}`);
    return presentVersion(version);
  });
  serve(app, routes.deleteSweep, async (request) => deleteSweep(services, viewerOf(request), request.params.id));
}
