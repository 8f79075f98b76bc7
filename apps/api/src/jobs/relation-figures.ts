import { AppError, type RelationFiguresAnswer } from "@hopwise/contracts";
import { artifactInfo } from "../database/stored-json.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { stageOutput } from "./job-artifacts.ts";

/**
 * The figures of the held-out links of each relation that a task on edges counted.
 *
 * @throws AppError JOB_WITHOUT_RESULTS when the job has judged no links
 */
export async function relationFiguresOf(services: Services, job: Pick<Job, "id">): Promise<RelationFiguresAnswer[]> {
  const artifact = await stageOutput(services, job.id, "recommended");
  if (artifact) return artifactInfo("recommended", artifact.info).byRelation;
  throw new AppError(
    "JOB_WITHOUT_RESULTS",
    "This job has judged no links: only tasks that learn links do, once their training has ended.",
  );
}
