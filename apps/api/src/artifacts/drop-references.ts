import { limits } from "@hopwise/contracts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";

const active = ["QUEUED", "RUNNING", "CANCELLING"] as const;

/**
 * A checkpoint goes when its stage has stored a newer one that is intact. The newest stays, running or ended: it is
 * what the next attempt resumes from, and a task that is queued or running names it or has read an older one long ago.
 */
export async function supersedeCheckpoints(tx: Tx, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Artifact" a SET "deletedAt" = ${now}::timestamptz
    WHERE a."kind" = 'checkpoint' AND a."deletedAt" IS NULL AND EXISTS (
      SELECT 1 FROM "Artifact" b
      WHERE b."jobId" = a."jobId" AND b."stageIndex" = a."stageIndex" AND b."kind" = 'checkpoint'
        AND b."deletedAt" IS NULL
        AND (b."epoch", b."step", b."attempt") > (a."epoch", a."step", a."attempt")
        AND NOT EXISTS (SELECT 1 FROM "ArtifactCheck" c WHERE c."artifactId" = b."id" AND c."damage" IS NOT NULL))`;
}

/** The files of models that nobody has gone on with go as those of a deleted dataset do. */
export async function dropModelUploads(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - limits.uploadHours * 3_600_000);
  await tx.dataset.updateMany({
    where: {
      isForModel: true,
      deletedAt: null,
      createdAt: { lt: before },
      uploads: { none: { expiresAt: { gt: now } } },
      versions: { none: { jobs: { some: { state: { in: [...active] } } } } },
    },
    data: { deletedAt: now },
  });
}

/**
 * What a deleted dataset no longer needs: its files and previews, the jobs that looked into them and ingested them,
 * and the graph unless a training job on it remains, whose results can still be exported by the graph's ids.
 */
export async function dropDeletedDatasets(tx: Tx, now: Date): Promise<void> {
  const versions = await tx.datasetVersion.findMany({
    where: {
      dataset: { deletedAt: { not: null } },
      jobs: { none: { state: { in: [...active] } } },
      OR: [{ filesId: { not: null } }, { previewId: { not: null } }, { graphId: { not: null } }],
    },
    select: { id: true, jobs: { where: { deletedAt: null }, select: { id: true, kind: true } } },
  });
  for (const { id, jobs } of versions) {
    const own = jobs.filter(({ kind }) => kind === "map" || kind === "ingest");
    const isRead = own.length < jobs.length;
    const pointers = { filesId: null, previewId: null, ...(isRead ? {} : { graphId: null }) };
    await tx.datasetVersion.update({ where: { id }, data: pointers });
    await tx.job.updateMany({ where: { id: { in: own.map((job) => job.id) } }, data: { deletedAt: now } });
  }
}

/** A version of a dataset or a model refers to the artifact, a stage of a job that is not deleted, or a job at work. */
const referenced: Prisma.ArtifactWhereInput = {
  OR: [
    { filesOf: { isNot: null } },
    { previewOf: { some: {} } },
    { graphOf: { some: {} } },
    { keptAs: { some: {} } },
    { appliedBy: { some: { deletedAt: null, state: { in: [...active] } } } },
    { stages: { some: { job: { deletedAt: null } } } },
    { kind: "checkpoint", deletedAt: null, job: { deletedAt: null } },
  ],
};

/**
 * Marks what nothing refers to. An artifact and its first reference are written in one transaction, so none is too
 * young.
 */
export async function markUnreferenced(tx: Tx, now: Date): Promise<void> {
  await tx.artifact.updateMany({ where: { deletedAt: null, NOT: referenced }, data: { deletedAt: now } });
}

/** A job that found an artifact to reuse in the moment it was marked keeps it. */
export async function reviveReferenced(tx: Tx): Promise<void> {
  await tx.artifact.updateMany({ where: { deletedAt: { not: null }, ...referenced }, data: { deletedAt: null } });
}

/** Rows of jobs deleted before `until`. What others reuse of theirs stays, without them. */
export async function removeDeletedJobs(tx: Tx, until: Date): Promise<void> {
  const jobs = await tx.job.findMany({
    where: { deletedAt: { lte: until }, derivedJobs: { none: { state: { in: [...active] } } } },
    select: { id: true },
    take: 100,
  });
  const ids = jobs.map(({ id }) => id);
  await tx.stageSequence.deleteMany({ where: { jobId: { in: ids } } });
  await tx.job.deleteMany({ where: { id: { in: ids } } });
}
