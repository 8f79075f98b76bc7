import { type ArtifactStore, deleteArtifact } from "@hopwise/artifacts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";

export interface OrphanSearch {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  /** Attempts that ended before it are looked at. */
  readonly until: Date;
  /** Runs a transaction as the leader. */
  readonly change: <T>(change: (tx: Tx) => Promise<T>) => Promise<T>;
}

interface EndedAttempt {
  readonly id: string;
  readonly jobId: string;
  readonly projectId: string;
  readonly number: number;
}

const batch = 100;

/**
 * Deletes what ended attempts have stored without an artifact coming of it: a worker killed while it published leaves
 * blobs without a manifest, one that was overtaken an artifact that nobody recorded. Each attempt is looked at once,
 * when no event of it can be accepted any more: a later attempt has the fencing token, or the job has ended.
 *
 * @returns the number of prefixes deleted
 */
export async function removeOrphans({ prisma, store, until, change }: OrphanSearch): Promise<number> {
  let removed = 0;
  for (;;) {
    const attempts = await prisma.$queryRaw<EndedAttempt[]>`
      SELECT a."id", a."jobId", a."projectId", a."number" FROM "Attempt" a JOIN "Job" j ON j."id" = a."jobId"
      WHERE a."sweptAt" IS NULL AND a."finishedAt" <= ${until}::timestamptz
        AND (j."attempt" > a."number" OR j."state" IN ('SUCCEEDED', 'FAILED', 'CANCELLED'))
      ORDER BY a."finishedAt" LIMIT ${batch}::int`;
    if (attempts.length === 0) return removed;
    for (const attempt of attempts) {
      const orphans = await orphansOf(attempt, prisma, store);
      for (const prefix of orphans) await deleteArtifact(store, prefix);
      removed += orphans.length;
    }
    const swept = { where: { id: { in: attempts.map(({ id }) => id) } }, data: { sweptAt: new Date() } };
    await change((tx) => tx.attempt.updateMany(swept));
    if (attempts.length < batch) return removed;
  }
}

/** Prefixes below the attempt's folder, `<folder>/<index>-<step>…`, that no artifact lies at or below. */
async function orphansOf(
  { projectId, jobId, number }: EndedAttempt,
  prisma: PrismaClient,
  store: ArtifactStore,
): Promise<string[]> {
  const folder = `projects/${projectId}/jobs/${jobId}/a${number}`;
  const prefixes = new Set<string>();
  for await (const key of store.list(folder)) {
    const [name] = key.slice(folder.length + 1).split("/");
    prefixes.add(`${folder}/${name}`);
  }
  const where = { prefix: { startsWith: `${folder}/` } };
  const artifacts = await prisma.artifact.findMany({ where, select: { prefix: true } });
  return [...prefixes].filter((prefix) => !artifacts.some((known) => `${known.prefix}/`.startsWith(`${prefix}/`)));
}
