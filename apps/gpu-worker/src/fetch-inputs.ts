import type { ArtifactCache, CachedArtifact } from "@hopwise/artifacts";
import { AppError, type ArtifactRef, type StageTask } from "@hopwise/contracts";
import { type ArtifactDir, manifest } from "@hopwise/gnn-core/spec";

export interface FetchedInputs {
  readonly inputs: Record<string, ArtifactDir>;
  readonly resume: ArtifactDir | null;
  /** Lets the cache evict them again. */
  release(): void;
}

/**
 * Brings every input of a task to local disk, all at once.
 *
 * @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_DAMAGED; AppError MANIFEST_INVALID when a version is not known here
 */
export async function fetchInputs(
  cache: ArtifactCache,
  task: StageTask,
  onProgress: (completed: number, total: number) => void,
): Promise<FetchedInputs> {
  const held: CachedArtifact[] = [];
  const total = Object.keys(task.inputs).length + (task.resume ? 1 : 0);
  const fetchOne = async (ref: ArtifactRef): Promise<ArtifactDir> => {
    const artifact = await cache.fetch(ref);
    held.push(artifact);
    onProgress(held.length, total);
    return { dir: artifact.dir, manifest: checked(artifact) };
  };
  const release = () => {
    for (const artifact of held) artifact.release();
  };
  try {
    const resume = task.resume ? fetchOne(task.resume) : Promise.resolve(null);
    const inputs = Object.entries(task.inputs).map(async ([kind, ref]) => [kind, await fetchOne(ref)] as const);
    const [fetched, resumed] = await Promise.all([Promise.all(inputs), resume]);
    return { inputs: Object.fromEntries(fetched), resume: resumed, release };
  } catch (error) {
    release();
    throw error;
  }
}

function checked(artifact: CachedArtifact) {
  const parsed = manifest.safeParse(artifact.manifest);
  if (parsed.success) return parsed.data;
  throw new AppError("MANIFEST_INVALID", `The manifest of a ${artifact.manifest.kind} artifact is not valid here.`, {
    cause: parsed.error,
  });
}
