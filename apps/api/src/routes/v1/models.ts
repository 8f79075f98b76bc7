import { modelRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { beginModelUpload, submitAdopt } from "../../jobs/submit-adopt.ts";
import { changeModelVersion, deleteModel, deleteModelVersion } from "../../models/change-version.ts";
import { keepModel } from "../../models/keep-model.ts";
import { modelCardOf } from "../../models/model-card.ts";
import { getModel, listModels } from "../../models/model-queries.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { presentJob } from "../../rest/present/present-job.ts";
import { presentCard, presentModel, presentVersion } from "../../rest/present/present-model.ts";
import { presentPage } from "../../rest/present/present-page.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** Models that are kept under a name, and their versions. */
export async function modelRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const costly = { config: { costly: true } };
  serve(
    app,
    routes.listModels,
    async (request) => presentPage(await listModels(services, viewerOf(request), request.query), presentModel),
    costly,
  );
  serve(app, routes.keepModel, async (request, reply) => {
    const version = await keepModel(services, viewerOf(request), request.body);
    reply.header("location", `/v1/model-versions/${version.id}`);
    return presentVersion(version);
  });
  serve(app, routes.beginModelUpload, async (request) => {
    const { id, projectId, name, createdAt } = await beginModelUpload(services, viewerOf(request), request.body);
    return { id, projectId, name, createdAt: createdAt.toISOString() };
  });
  serve(app, routes.adoptModel, async (request) => {
    const { params, body, id: requestId } = request;
    return presentJob(await submitAdopt(services, viewerOf(request), params.id, body, { requestId }));
  });
  serve(app, routes.readModel, async (request) =>
    presentModel(await getModel(services, viewerOf(request), request.params.id)),
  );
  serve(app, routes.deleteModel, async (request) => deleteModel(services, viewerOf(request), request.params.id));
  serve(app, routes.readModelVersion, async (request) =>
    presentCard(await modelCardOf(services, viewerOf(request), request.params.id)),
  );
  serve(app, routes.changeModelVersion, async (request) =>
    presentVersion(await changeModelVersion(services, viewerOf(request), request.params.id, request.body)),
  );
  serve(app, routes.deleteModelVersion, async (request) =>
    deleteModelVersion(services, viewerOf(request), request.params.id),
  );
}
