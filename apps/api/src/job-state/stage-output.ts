import { createHash } from "node:crypto";
import { AppError, checkpointPrefix, type MadeArtifact, type StageTask } from "@hopwise/contracts";
import type { Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "./job-run.ts";

type Place = Pick<StageTask["output"], "id" | "prefix">;

/** Where a stage's artifact goes. Fixed by job, attempt and stage, so that a task enqueued twice makes one artifact. */
export function outputPlace({ job }: Pick<JobRun, "job">, stage: Pick<Stage, "index" | "kind">): Place {
  const { id: jobId, projectId, attempt } = job;
  const digest = createHash("sha256").update(`${jobId}/${attempt}/${stage.index}`).digest("hex");
  return {
    id: `art_${digest.slice(0, 24)}`,
    prefix: `projects/${projectId}/jobs/${jobId}/a${attempt}/${stage.index}-${stage.kind}`,
  };
}

/**
 * A worker's word for what it has stored is good for the place that its task names: else it could pass off the artifact
 * of another job as this one's, and be given it as the next stage's input.
 *
 * @throws AppError WORKER_INCOMPATIBLE
 */
export function requireOwnOutput(
  run: Pick<JobRun, "job">,
  stage: Stage,
  { id, prefix, reuseKey }: MadeArtifact,
  checkpoint?: { readonly epoch: number; readonly step: number },
): void {
  const output = outputPlace(run, stage);
  const expected = checkpoint
    ? {
        id: `${output.id}-checkpoint-${checkpoint.epoch}-${checkpoint.step}`,
        prefix: checkpointPrefix(output.prefix, checkpoint.epoch, checkpoint.step),
        reuseKey: null,
      }
    : { ...output, reuseKey: stage.reuseKey };
  if (id === expected.id && prefix === expected.prefix && reuseKey === expected.reuseKey) return;
  throw new AppError(
    "WORKER_INCOMPATIBLE",
    `The worker tells of an artifact ${id} at ${prefix}; its task asks for ${expected.id} at ${expected.prefix}. Run the same release everywhere, and look at who has this worker's credential.`,
  );
}
