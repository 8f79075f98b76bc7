import { ArtifactError, type ArtifactStore, type ExpectedBlob, manifestName, VerifiedBlobs } from "@hopwise/artifacts";
import { blobsOf } from "../database/stored-json.ts";
import type { Artifact, PrismaClient } from "../generated/prisma/client.ts";
import { noteCheck } from "./artifact-checks.ts";
import { Integrity, remedyOf } from "./integrity.ts";

export interface FsckOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  /** Whether damaged artifacts are noted as such, so that they are not used again and made again where a step can. */
  readonly mark: boolean;
}

/** One thing that is not as it should be. */
export interface Finding {
  readonly what: "damaged" | "missing" | "orphaned";
  /** Key in the artifact store. */
  readonly key: string;
  /** What was found, and what helps. */
  readonly detail: string;
}

export interface FsckSummary {
  readonly artifacts: number;
  readonly uploads: number;
  readonly damaged: number;
  readonly missing: number;
  readonly orphaned: number;
}

const batch = 100;

/**
 * Reads all that the database names in the artifact store, and names what lies there without being named. What attempts
 * that have not been swept yet may have stored is nobody's orphan.
 */
export async function fsck(options: FsckOptions, onFinding: (finding: Finding) => void): Promise<FsckSummary> {
  const count = { artifacts: 0, uploads: 0, damaged: 0, missing: 0, orphaned: 0 };
  const tell = (finding: Finding) => {
    count[finding.what]++;
    onFinding(finding);
  };
  const known = new Set<string>();
  for await (const artifact of artifactsOf(options.prisma)) {
    count.artifacts++;
    for (const name of [manifestName, ...blobsOf(artifact).map((blob) => blob.name)])
      known.add(`${artifact.prefix}/${name}`);
    if (artifact.deletedAt === null) await checkArtifact(artifact, options, tell);
  }
  count.uploads = await checkUploads(options, known, tell);
  await findOrphans(options, known, tell);
  return count;
}

async function* artifactsOf(prisma: PrismaClient): AsyncGenerator<Artifact> {
  for (let after = ""; ; ) {
    const page = await prisma.artifact.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take: batch });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function checkArtifact(
  artifact: Artifact,
  { prisma, store, mark }: FsckOptions,
  tell: (finding: Finding) => void,
): Promise<void> {
  const integrity = new Integrity({ prisma, store, log: { error: () => {} } });
  const damage = await integrity.find(artifact, { again: true });
  if (mark) await noteCheck(prisma, artifact.id, damage, new Date());
  for (const { blob, found } of damage) {
    const what = found === "nothing" ? "missing" : "damaged";
    const detail = `${artifact.kind} ${artifact.id}: found ${found}. ${remedyOf(artifact.kind)}`;
    tell({ what, key: `${artifact.prefix}/${blob}`, detail });
  }
}

/** Files that were uploaded and are not in an artifact yet. */
async function checkUploads(
  { prisma, store }: FsckOptions,
  known: Set<string>,
  tell: (finding: Finding) => void,
): Promise<number> {
  const sources = await prisma.sourceFile.findMany();
  const open = sources.filter(({ blobKey }) => !known.has(blobKey));
  const verified = new VerifiedBlobs(store);
  for (const { blobKey: key, name, bytes, sha256 } of open) {
    known.add(key);
    const state = await uploadState(verified, key, { bytes: Number(bytes), sha256 });
    const detail = `the uploaded file "${name}"; upload it again to a new version of the dataset.`;
    if (state !== "intact") tell({ what: state, key, detail });
  }
  return open.length;
}

async function uploadState(verified: VerifiedBlobs, key: string, expected: ExpectedBlob) {
  try {
    await verified.verify(key, expected);
    return "intact";
  } catch (error) {
    if (error instanceof ArtifactError && error.code === "ARTIFACT_MISSING") return "missing";
    if (error instanceof ArtifactError && error.code === "ARTIFACT_DAMAGED") return "damaged";
    throw error;
  }
}

async function findOrphans(
  { prisma, store }: FsckOptions,
  known: ReadonlySet<string>,
  tell: (finding: Finding) => void,
): Promise<void> {
  const attempts = await prisma.attempt.findMany({
    where: { sweptAt: null },
    select: { projectId: true, jobId: true, number: true },
  });
  const versions = await prisma.datasetVersion.findMany({
    where: { filesPrefix: { not: null } },
    select: { filesPrefix: true },
  });
  const imports = await prisma.import.findMany({ where: { isCleared: false }, select: { id: true, projectId: true } });
  const uploads = await prisma.upload.findMany({ select: { id: true, projectId: true } });
  const inUse = new Set([
    ...imports.map(({ projectId, id }) => `projects/${projectId}/imports/${id}`),
    ...uploads.map(({ projectId, id }) => `projects/${projectId}/uploads/${id}`),
    ...attempts.map(({ projectId, jobId, number }) => `projects/${projectId}/jobs/${jobId}/a${number}`),
    ...versions.flatMap(({ filesPrefix }) => filesPrefix ?? []),
  ]);
  for await (const key of store.list("")) {
    if (known.has(key) || isBelow(key, inUse)) continue;
    tell({ what: "orphaned", key, detail: "nothing refers to it; it takes room and may be removed." });
  }
}

function isBelow(key: string, folders: ReadonlySet<string>): boolean {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    if (folders.has(key.slice(0, end))) return true;
  }
  return false;
}
