import type { ArtifactCache, BlobSelection, CachedArtifact, StoredManifest } from "@hopwise/artifacts";
import { AppError, type ArtifactRef, type StageTask } from "@hopwise/contracts";
import { type ArtifactDir, type Manifest, manifest, type StepComponent } from "@hopwise/gnn-core/spec";

export interface FetchedInputs {
  readonly inputs: Record<string, ArtifactDir>;
  readonly resume: ArtifactDir | null;
  /** Lets the cache evict them again. */
  release(): void;
}

/**
 * Brings every input of a task to local disk, all at once; of each what the step reads of it in the ranks of this host.
 *
 * @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_DAMAGED; AppError MANIFEST_INVALID when a version is not known here
 */
export async function fetchInputs(
  cache: ArtifactCache,
  step: StepComponent,
  task: StageTask,
  onProgress: (completed: number, total: number) => void,
): Promise<FetchedInputs> {
  const held: CachedArtifact[] = [];
  const total = Object.keys(task.inputs).length + (task.resume ? 1 : 0);
  const fetchOne = async (ref: ArtifactRef, reads?: BlobSelection): Promise<ArtifactDir> => {
    const artifact = await cache.fetch(ref, reads);
    held.push(artifact);
    onProgress(held.length, total);
    return { dir: artifact.dir, manifest: checked(artifact.manifest) };
  };
  const release = () => {
    for (const artifact of held) artifact.release();
  };
  try {
    const resume = task.resume ? fetchOne(task.resume) : Promise.resolve(null);
    const reads = readsOf(step, task);
    const inputs = Object.entries(task.inputs).map(async ([kind, ref]) => [kind, await fetchOne(ref, reads)] as const);
    const [fetched, resumed] = await Promise.all([Promise.all(inputs), resume]);
    return { inputs: Object.fromEntries(fetched), resume: resumed, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Undefined: all of every input, also for options that the ranks will refuse. */
function readsOf(step: StepComponent, { options, slice, ranks: worldSize }: StageTask): BlobSelection | undefined {
  const { reads } = step;
  const parsed = step.options.safeParse(options);
  if (!reads || !parsed.success) return undefined;
  const { firstRank, ranks } = slice;
  return (input) => reads(checked(input), parsed.data, { firstRank, ranks, worldSize });
}

function checked(stored: StoredManifest): Manifest {
  const parsed = manifest.safeParse(stored);
  if (parsed.success) return parsed.data;
  throw new AppError("MANIFEST_INVALID", `The manifest of a ${stored.kind} artifact is not valid here.`, {
    cause: parsed.error,
  });
}
