import type { PrismaClient } from "../../apps/api/src/generated/prisma/client.ts";

/**
 * Training jobs as months of use leave them, each with its six stages and a resolved spec: a tenth failed, the others
 * have a model.
 */
export async function seedJobs(prisma: PrismaClient, count: number, spec: unknown): Promise<void> {
  const model = { model: { type: "sage", options: {} }, metrics: { "test/accuracy": 0.81, "test/macroF1": 0.79 } };
  await prisma.$executeRaw`
    INSERT INTO "Job" ("id", "projectId", "createdBy", "kind", "name", "state", "spec", "createdAt", "startedAt",
      "finishedAt", "datasetName", "modelType", "numRanks", "chiefMetric", "result")
    SELECT 'job_bench' || n, 'default', 'admin', 'train', 'run ' || n,
      (CASE WHEN n % 10 = 9 THEN 'FAILED' ELSE 'SUCCEEDED' END)::"JobState", ${JSON.stringify(spec)}::jsonb,
      t, t + interval '1 second', t + interval '40 seconds', 'graph ' || n % 12,
      (ARRAY['sage', 'gcn', 'gat'])[1 + n % 3], 1 + n % 4, 'accuracy',
      CASE WHEN n % 10 < 9 THEN (n * 7919) % 10007 / 10007.0 END
    FROM generate_series(1, ${count}::int) AS n, LATERAL (SELECT now() - interval '1 minute' * n AS t) AS at`;
  await prisma.$executeRaw`
    INSERT INTO "Artifact" ("id", "projectId", "createdBy", "jobId", "kind", "prefix", "digest", "bytes", "info", "blobs")
    SELECT 'art_' || id, 'default', 'admin', id, 'model', id, id, 1, ${JSON.stringify(model)}::jsonb, '[]'
    FROM "Job" WHERE state = 'SUCCEEDED'`;
  await prisma.$executeRaw`
    INSERT INTO "Stage" ("id", "projectId", "createdBy", "jobId", "index", "kind", "options", "state", "outputId")
    SELECT 'stage_' || j.id || '_' || s.index, 'default', 'admin', j.id, s.index - 1, s.kind, '{}',
      (CASE WHEN j.state = 'SUCCEEDED' OR s.index = 1 THEN 'SUCCEEDED' ELSE 'FAILED' END)::"StageState",
      (CASE WHEN j.state = 'SUCCEEDED' AND s.kind = 'train' THEN 'art_' || j.id END)
    FROM "Job" AS j, unnest(ARRAY['partition', 'train', 'infer', 'remap', 'project', 'export'])
      WITH ORDINALITY AS s (kind, index)`;
  await prisma.$executeRaw`ANALYZE`;
}
