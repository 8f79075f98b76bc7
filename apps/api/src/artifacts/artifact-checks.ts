import { z } from "zod";
import { Prisma, type PrismaClient } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";

/** A blob that is not what it should be: its name in the artifact, and what is there instead. */
const damagedBlob = z.object({ blob: z.string(), found: z.string() });
export type DamagedBlob = Readonly<z.infer<typeof damagedBlob>>;

const damagedArtifacts = z.array(z.object({ artifactId: z.string(), damage: z.array(damagedBlob) }));
const artifactIdsFound = z.array(z.object({ id: z.string() }));
const replacements = z.array(z.object({ damaged: z.string(), intact: z.string() }));

type Reader = Pick<PrismaClient, "$queryRaw">;

/** Notes what reading an artifact's blobs has found; nothing when the artifact is gone by now. */
export async function noteCheck(
  prisma: Pick<PrismaClient, "$executeRaw">,
  artifactId: string,
  damage: readonly DamagedBlob[],
  now: Date,
): Promise<void> {
  const found = damage.length === 0 ? null : JSON.stringify(damage);
  await prisma.$executeRaw`
    INSERT INTO "ArtifactCheck" ("artifactId", "checkedAt", "damage")
    SELECT "id", ${now}::timestamptz, ${found}::jsonb FROM "Artifact" WHERE "id" = ${artifactId}
    ON CONFLICT ("artifactId") DO UPDATE SET "checkedAt" = EXCLUDED."checkedAt", "damage" = EXCLUDED."damage"`;
}

/** Which of these artifacts are damaged, with what was found of each. */
export async function damageOf(
  reader: Reader,
  artifactIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DamagedBlob[]>> {
  if (artifactIds.length === 0) return new Map();
  const rows = await reader.$queryRaw`
    SELECT "artifactId", "damage" FROM "ArtifactCheck"
    WHERE "damage" IS NOT NULL AND "artifactId" IN (${Prisma.join([...artifactIds])})`;
  return new Map(damagedArtifacts.parse(rows).map(({ artifactId, damage }) => [artifactId, damage]));
}

/** The artifact that was read longest ago, or never and stored before `until`; null when all were read since then. */
export async function nextToCheck(reader: Reader, until: Date): Promise<string | null> {
  const rows = await reader.$queryRaw`
    SELECT a."id" FROM "Artifact" a LEFT JOIN "ArtifactCheck" c ON c."artifactId" = a."id"
    WHERE a."deletedAt" IS NULL AND COALESCE(c."checkedAt", a."createdAt") < ${until}::timestamptz
    ORDER BY COALESCE(c."checkedAt", a."createdAt") LIMIT 1`;
  return artifactIdsFound.parse(rows)[0]?.id ?? null;
}

/**
 * Lets an intact artifact of the same content take the place of a damaged one wherever that is referred to; the sweep
 * removes what is left of it.
 */
export async function replaceDamaged(tx: Tx): Promise<void> {
  const pairs = await tx.$queryRaw`
    SELECT DISTINCT ON (a."id") a."id" AS "damaged", b."id" AS "intact"
    FROM "ArtifactCheck" c
    JOIN "Artifact" a ON a."id" = c."artifactId"
    JOIN "Artifact" b ON b."projectId" = a."projectId" AND b."kind" = a."kind" AND b."digest" = a."digest" AND b."id" <> a."id"
    LEFT JOIN "ArtifactCheck" d ON d."artifactId" = b."id"
    WHERE c."damage" IS NOT NULL AND d."damage" IS NULL AND b."deletedAt" IS NULL AND b."kind" NOT IN ('files', 'checkpoint')
      AND (EXISTS (SELECT 1 FROM "Stage" s WHERE s."outputId" = a."id")
        OR EXISTS (SELECT 1 FROM "DatasetVersion" v WHERE v."graphId" = a."id" OR v."previewId" = a."id"))
    ORDER BY a."id", b."createdAt" DESC`;
  for (const { damaged, intact } of replacements.parse(pairs)) {
    await tx.stage.updateMany({ where: { outputId: damaged }, data: { outputId: intact } });
    await tx.datasetVersion.updateMany({ where: { graphId: damaged }, data: { graphId: intact } });
    await tx.datasetVersion.updateMany({ where: { previewId: damaged }, data: { previewId: intact } });
  }
}
