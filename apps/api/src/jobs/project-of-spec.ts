import type { Viewer } from "../auth/viewer.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { findProjectId } from "../projects/project-service.ts";

/** The project named by a spec; a key of one project needs to name none. */
export async function projectOfSpec(
  services: JobServices,
  viewer: Viewer,
  input: unknown,
  { project }: { readonly project: string },
): Promise<string> {
  const isNamed = typeof input === "object" && input !== null && "project" in input;
  return findProjectId(services, viewer, isNamed || viewer.projectId === null ? project : null);
}
