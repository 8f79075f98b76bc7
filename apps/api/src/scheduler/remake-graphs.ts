import { remakeGraph } from "../datasets/submit-ingest.ts";
import type { Tx } from "../job-state/job-store.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import type { OneByOne } from "../leader/one-by-one.ts";

/** A damaged graph that is to be made again: once for each time that damage was found. */
interface DamagedGraph {
  /** Id of the dataset's version */
  readonly id: string;
  readonly createdBy: string;
}

/**
 * Queues the ingest anew for dataset versions whose graph is damaged and that a job waits for. The files and the spec
 * are the same, so its result has the same digest and takes the old one's place.
 */
export async function remakeGraphs(services: JobServices, oneByOne: OneByOne): Promise<void> {
  const found = await services.prisma.$queryRaw<DamagedGraph[]>`
    SELECT v."id", v."createdBy" FROM "DatasetVersion" v
    JOIN "ArtifactCheck" c ON c."artifactId" = v."graphId"
    WHERE c."damage" IS NOT NULL
      AND EXISTS (SELECT 1 FROM "Job" j WHERE j."datasetVersionId" = v."id" AND j."kind" <> 'ingest' AND j."state" IN ('QUEUED', 'RUNNING'))
      AND NOT EXISTS (SELECT 1 FROM "Job" i WHERE i."datasetVersionId" = v."id" AND i."kind" = 'ingest' AND i."createdAt" > c."checkedAt")`;
  await oneByOne.act(found, async ({ id, createdBy }) => {
    await remakeGraph(services, id, createdBy);
    return true;
  });
}

/** Whether a job is under way that makes the version's graph again. */
export async function isGraphUnderWay(tx: Tx, versionId: string | null): Promise<boolean> {
  if (versionId === null) return false;
  const state = { in: ["QUEUED" as const, "RUNNING" as const] };
  return (await tx.job.count({ where: { datasetVersionId: versionId, kind: "ingest", state } })) > 0;
}
