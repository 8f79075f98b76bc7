-- AlterTable
ALTER TABLE "Job" ADD COLUMN "chiefMetric" TEXT,
ADD COLUMN "datasetName" TEXT,
ADD COLUMN "modelType" TEXT,
ADD COLUMN "numRanks" INTEGER,
ADD COLUMN "result" DOUBLE PRECISION,
ADD COLUMN "starred" BOOLEAN NOT NULL DEFAULT false;

-- Jobs that are there: what their specs say, and the result of the model that they have. Of a task that an operator
-- added, the metric that stands for the result is not known here: such a job has none in the list.
UPDATE "Job" SET
  "modelType" = "spec"->'model'->>'type',
  "numRanks" = CASE WHEN "spec"->'resources'->>'ranks' ~ '^[0-9]{1,6}$' THEN ("spec"->'resources'->>'ranks')::int END,
  "chiefMetric" = CASE COALESCE("spec"->'task'->>'type', 'nodeClassification')
    WHEN 'nodeClassification' THEN 'accuracy' WHEN 'nodeMultiLabel' THEN 'microF1' WHEN 'nodeRegression' THEN 'mae' END
WHERE "kind" = 'train';
UPDATE "Job" SET "datasetName" = d."name"
FROM "DatasetVersion" v JOIN "Dataset" d ON d."id" = v."datasetId"
WHERE v."id" = "Job"."datasetVersionId" AND "Job"."kind" = 'train';
UPDATE "Job" SET "result" = (a."info"->'metrics'->>('test/' || "Job"."chiefMetric"))::float8
FROM "Stage" s JOIN "Artifact" a ON a."id" = s."outputId"
WHERE s."jobId" = "Job"."id" AND a."kind" = 'model' AND jsonb_typeof(a."info"->'metrics'->('test/' || "Job"."chiefMetric")) = 'number';
