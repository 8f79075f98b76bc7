import { projectRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { projectUse } from "../../jobs/project-use.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { removePrices, setPrices } from "../../projects/prices.ts";
import { setProjectLimits } from "../../projects/project-limits.ts";
import { createProject, listProjects } from "../../projects/project-service.ts";
import { presentProject } from "../../rest/present/present-account.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

/** Projects, what they may use and have used, and what that costs. */
export async function projectRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, routes.listProjects, async (request) => ({
    items: (await listProjects(services, viewerOf(request))).map(presentProject),
  }));
  serve(app, routes.createProject, async (request) =>
    presentProject(await createProject(services, viewerOf(request), request.body.name)),
  );
  serve(app, routes.setProjectLimits, async (request) =>
    presentProject(await setProjectLimits(services, viewerOf(request), request.params.id, request.body)),
  );
  serve(app, routes.readProjectUse, async (request) => projectUse(services, viewerOf(request), request.query), {
    config: { costly: true },
  });
  serve(app, routes.setPrices, async (request) => setPrices(services, viewerOf(request), request.body));
  serve(app, routes.removePrices, async (request) => removePrices(services, viewerOf(request)));
}
