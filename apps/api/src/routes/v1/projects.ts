import { projectRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { viewerOf } from "../../plugins/auth.ts";
import { createProject, listProjects } from "../../projects/project-service.ts";
import { presentProject } from "../../rest/present/present-account.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

export async function projectRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, routes.listProjects, async (request) => ({
    items: (await listProjects(services, viewerOf(request))).map(presentProject),
  }));
  serve(app, routes.createProject, async (request) =>
    presentProject(await createProject(services, viewerOf(request), request.body.name)),
  );
}
