import { z } from "zod";
import { remakableVersion, remakeGraph } from "../datasets/submit-ingest.ts";
import type { Job } from "../generated/prisma/client.ts";
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
 * Queues the ingest anew for dataset versions whose graph is damaged and that a job waits for, unless an intact one of
 * the same content is there. The files and the spec are the same, so its result has the same digest and takes the old
 * one's place.
 */
export async function remakeGraphs(services: JobServices, oneByOne: OneByOne): Promise<void> {
  const found = await services.prisma.$queryRaw<DamagedGraph[]>`
    SELECT v."id", v."createdBy" FROM "DatasetVersion" v
    JOIN "ArtifactCheck" c ON c."artifactId" = v."graphId"
    WHERE c."damage" IS NOT NULL
      AND EXISTS (SELECT 1 FROM "Job" j WHERE j."datasetVersionId" = v."id" AND j."kind" <> 'ingest' AND j."state" IN ('QUEUED', 'RUNNING'))
      AND NOT EXISTS (SELECT 1 FROM "Job" i WHERE i."datasetVersionId" = v."id" AND i."kind" = 'ingest'
        AND (i."createdAt" > c."checkedAt" OR i."state" IN ('QUEUED', 'RUNNING', 'CANCELLING')))
      AND NOT EXISTS (
        SELECT 1 FROM "Artifact" a
        JOIN "Artifact" b ON b."projectId" = a."projectId" AND b."kind" = a."kind" AND b."digest" = a."digest" AND b."id" <> a."id"
        LEFT JOIN "ArtifactCheck" d ON d."artifactId" = b."id"
        WHERE a."id" = v."graphId" AND b."deletedAt" IS NULL AND d."damage" IS NULL)`;
  await oneByOne.act(found, async ({ id, createdBy }) => {
    await remakeGraph(services, id, createdBy);
    return true;
  });
}

const damagedGraphs = z.array(z.object({ graphId: z.string(), isUnderWay: z.boolean(), hasEnded: z.boolean() }));

/**
 * The damaged graph of the job's version, when it is being made again or will be, as the damage may have been noted
 * after this round looked for graphs to make again. null: nobody makes it, or the job is what makes it.
 */
export async function awaitedGraph(tx: Tx, job: Pick<Job, "kind" | "datasetVersionId">): Promise<string | null> {
  const { kind, datasetVersionId: versionId } = job;
  if (versionId === null || kind === "ingest") return null;
  const rows = await tx.$queryRaw`
    SELECT v."graphId",
      EXISTS (SELECT 1 FROM "Job" i WHERE i."datasetVersionId" = v."id" AND i."kind" = 'ingest'
        AND i."state" IN ('QUEUED', 'RUNNING', 'CANCELLING')) AS "isUnderWay",
      EXISTS (SELECT 1 FROM "Job" i WHERE i."datasetVersionId" = v."id" AND i."kind" = 'ingest'
        AND i."createdAt" > c."checkedAt") AS "hasEnded"
    FROM "DatasetVersion" v JOIN "ArtifactCheck" c ON c."artifactId" = v."graphId"
    WHERE v."id" = ${versionId} AND c."damage" IS NOT NULL`;
  const [damaged] = damagedGraphs.parse(rows);
  if (!damaged) return null;
  const isToBeMade = !damaged.hasEnded && (await remakableVersion(tx, versionId)) !== null;
  return damaged.isUnderWay || isToBeMade ? damaged.graphId : null;
}
