import { type ArtifactStore, readManifest } from "@hopwise/artifacts";
import { type ArtifactRef, readsOf, type StageTask } from "@hopwise/contracts";
import { manifest, type Registry } from "@hopwise/gnn-core/spec";
import type { GrantClaims } from "./grant-claims.ts";

export type SliceClaims = Pick<GrantClaims, "holder" | "reads" | "writes">;

/**
 * What the slice of a task may use: of its inputs the blobs that its ranks open, the checkpoint it begins with, and, on
 * the host of rank 0, its output and checkpoints.
 */
export async function sliceClaims(task: StageTask, registry: Registry, store: ArtifactStore): Promise<SliceClaims> {
  const { jobId: job, attempt, stageIndex: stage, slice, output, resume } = task;
  const select = readsOf(registry.get("step", task.step), task);
  const readsOfInput = async ({ prefix }: ArtifactRef) => ({
    prefix,
    only: select ? select(manifest.parse(await readManifest(store, prefix))) : null,
  });
  const reads = await Promise.all(Object.values(task.inputs).map(readsOfInput));
  return {
    holder: { job, attempt, stage, slice: slice.index },
    reads: resume ? [...reads, { prefix: resume.prefix, only: null }] : reads,
    writes: slice.index === 0 ? [{ output: output.prefix }] : [],
  };
}
