import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { viewerOf } from "../../plugins/auth.ts";
import { createProject, listProjects } from "../../projects/project-service.ts";
import type { Services } from "../../services.ts";

const newProject = z.strictObject({ name: z.string() });

export async function projectRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const tags = ["projects"];
  app.get("/v1/projects", { schema: { tags } }, async (request) => ({
    items: await listProjects(services, viewerOf(request)),
  }));
  app.post<{ Body: z.infer<typeof newProject> }>(
    "/v1/projects",
    { schema: { tags, body: newProject } },
    async (request, reply) => {
      const project = await createProject(services, viewerOf(request), request.body.name);
      return reply.code(201).send(project);
    },
  );
}
