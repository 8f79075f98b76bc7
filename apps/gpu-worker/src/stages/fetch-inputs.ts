import type { ArtifactCache, BlobSelection, BlobStore, CachedArtifact, StoredManifest } from "@hopwise/artifacts";
import { AppError, type ArtifactRef, readsOf, type StageTask } from "@hopwise/contracts";
import { type ArtifactDir, type Manifest, manifest, manifestDigest, type StepComponent } from "@hopwise/gnn-core/spec";

export interface FetchedInputs {
  readonly inputs: Record<string, ArtifactDir>;
  readonly resume: ArtifactDir | null;
  /** Lets the cache evict them again. */
  release(): void;
}

/**
 * Brings every input of a task to local disk, all at once; of each what the step reads of it in the ranks of this host.
 *
 * @param store as this task may use it
 * @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_DAMAGED, ARTIFACT_REFUSED, ARTIFACT_UNREACHABLE; AppError
 * MANIFEST_INVALID when a version is not known here
 */
export async function fetchInputs(
  cache: ArtifactCache,
  store: BlobStore,
  step: StepComponent,
  task: StageTask,
  onProgress: (completed: number, total: number) => void,
): Promise<FetchedInputs> {
  const held: CachedArtifact[] = [];
  const total = Object.keys(task.inputs).length + (task.resume ? 1 : 0);
  const fetchOne = async (ref: ArtifactRef, select?: BlobSelection): Promise<ArtifactDir> => {
    const artifact = await cache.fetch(store, ref, select);
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
    const select = reads && ((stored: StoredManifest) => reads(checked(stored)));
    const inputs = Object.entries(task.inputs).map(async ([kind, ref]) => [kind, await fetchOne(ref, select)] as const);
    const [fetched, resumed] = await Promise.all([Promise.all(inputs), resume]);
    return { inputs: Object.fromEntries(fetched), resume: resumed, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Its digest is the content's, so that a changed manifest is no more taken for the stored one than a changed blob. */
function intact(found: Manifest): Manifest {
  const digest = manifestDigest(found.kind, found.blobs, found.info);
  if (digest === found.digest) return found;
  throw new AppError(
    "ARTIFACT_DAMAGED",
    `The manifest of a ${found.kind} artifact has the digest ${digest}; it says ${found.digest}.`,
  );
}

function checked(stored: StoredManifest): Manifest {
  const parsed = manifest.safeParse(stored);
  if (parsed.success) return intact(parsed.data);
  throw new AppError("MANIFEST_INVALID", `The manifest of a ${stored.kind} artifact is not valid here.`, {
    cause: parsed.error,
  });
}
