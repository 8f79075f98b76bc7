import { z } from "zod";
import { route } from "./route.ts";
import { isoTime, listOf } from "./shapes.ts";

export const projectAnswer = z
  .object({ id: z.string(), name: z.string(), createdBy: z.string().nullable(), createdAt: isoTime })
  .meta({ id: "Project" });
export type ProjectAnswer = z.infer<typeof projectAnswer>;

export const newProject = z.strictObject({ name: z.string() });

const tag = "projects";

export const projectRoutes = {
  listProjects: route({
    method: "GET",
    path: "/v1/projects",
    tag,
    summary: "The projects that the key may see",
    answers: { 200: listOf(projectAnswer) },
  }),
  createProject: route({
    method: "POST",
    path: "/v1/projects",
    tag,
    summary: "Makes a project, as an admin whose key is bound to none",
    body: newProject,
    answers: { 201: projectAnswer },
    problems: ["REQUEST_CONFLICT"],
  }),
};
