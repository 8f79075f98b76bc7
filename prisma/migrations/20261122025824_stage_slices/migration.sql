-- AlterTable
ALTER TABLE "Stage" ADD COLUMN     "slices" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "StageSequence" DROP CONSTRAINT "StageSequence_pkey",
ADD COLUMN     "slice" INTEGER NOT NULL DEFAULT 0,
ADD CONSTRAINT "StageSequence_pkey" PRIMARY KEY ("jobId", "attempt", "stageIndex", "slice");

-- What is under way runs on one worker each: that of its attempt.
UPDATE "Stage" SET "slices" = jsonb_build_array(jsonb_build_object(
  'workerId', a."workerId", 'bootId', a."bootId", 'host', a."host", 'firstRank', 0, 'ranks', "Stage"."ranks",
  'state', "Stage"."state"::text, 'problem', NULL, 'endedAt', NULL))
FROM "Attempt" a
WHERE a."jobId" = "Stage"."jobId" AND a."number" = "Stage"."attempt" AND "Stage"."state" IN ('QUEUED', 'RUNNING');
