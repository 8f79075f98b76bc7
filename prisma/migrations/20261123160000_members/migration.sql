-- Processes of a stage were numbered from 0, sampler processes behind the ranks. Each kind has numbers of its own now:
-- a number from the attempt's ranks on is that of a sampler process, counted from there.

-- CreateEnum
CREATE TYPE "MemberKind" AS ENUM ('rank', 'sampler');

-- RenameEnum
ALTER TYPE "RankState" RENAME TO "MemberState";

-- RenameTable
ALTER TABLE "Rank" RENAME TO "Member";
ALTER TABLE "Member" RENAME CONSTRAINT "Rank_jobId_fkey" TO "Member_jobId_fkey";
ALTER TABLE "Member" DROP CONSTRAINT "Rank_pkey";
ALTER TABLE "Member" RENAME COLUMN "rank" TO "index";
ALTER TABLE "Member" ADD COLUMN "kind" "MemberKind" NOT NULL DEFAULT 'rank';
UPDATE "Member" m SET "kind" = 'sampler', "index" = m."index" - a."ranks"
FROM "Attempt" a
WHERE a."jobId" = m."jobId" AND a."number" = m."attempt" AND m."index" >= a."ranks";
ALTER TABLE "Member" ALTER COLUMN "kind" DROP DEFAULT;
ALTER TABLE "Member" ADD CONSTRAINT "Member_pkey" PRIMARY KEY ("jobId", "attempt", "kind", "index");

-- AlterTable
ALTER TABLE "LogLine" RENAME COLUMN "rank" TO "memberIndex";
ALTER TABLE "LogLine" ADD COLUMN "memberKind" "MemberKind" NOT NULL DEFAULT 'rank';
UPDATE "LogLine" l SET "memberKind" = 'sampler', "memberIndex" = l."memberIndex" - a."ranks"
FROM "Attempt" a
WHERE a."jobId" = l."jobId" AND a."number" = l."attempt" AND l."memberIndex" >= a."ranks";
ALTER TABLE "LogLine" ALTER COLUMN "memberKind" DROP DEFAULT;

-- Incidents named ranks alone: those of sampler processes said so in their words.
ALTER TABLE "Incident" RENAME COLUMN "rank" TO "memberIndex";
ALTER TABLE "Incident" ADD COLUMN "memberKind" "MemberKind";
UPDATE "Incident" SET "memberKind" = 'rank' WHERE "memberIndex" IS NOT NULL;

-- The same in what subscribers read.
UPDATE "JobEvent" SET "body" = ("body" - 'rank') || jsonb_build_object('member', CASE
  WHEN "body"->>'rank' IS NULL THEN NULL
  ELSE jsonb_build_object('kind', 'rank', 'index', "body"->'rank') END)
WHERE "type" IN ('RankUpdated', 'LogAppended', 'IncidentRaised');
UPDATE "JobEvent" e SET "body" = e."body" || jsonb_build_object('member', jsonb_build_object(
  'kind', 'sampler', 'index', (e."body"->'member'->>'index')::int - a."ranks"))
FROM "Attempt" a
WHERE a."jobId" = e."jobId" AND a."number" = e."attempt" AND e."type" IN ('RankUpdated', 'LogAppended')
  AND (e."body"->'member'->>'index')::int >= a."ranks";

-- What the hosts of stages under way run.
UPDATE "Stage" s SET "slices" = (
  SELECT jsonb_agg((o.slice - 'firstRank' - 'ranks') || jsonb_build_object(
    'ranks', jsonb_build_object('first', LEAST(o.first, s."ranks"), 'count', o.ranks),
    'samplers', jsonb_build_object('first', GREATEST(o.first - s."ranks", 0), 'count', o.members - o.ranks)
  ) ORDER BY o.place)
  FROM (
    SELECT slice, place, (slice->>'firstRank')::int AS first, (slice->>'ranks')::int AS members,
      GREATEST(LEAST((slice->>'firstRank')::int + (slice->>'ranks')::int, s."ranks") - (slice->>'firstRank')::int, 0) AS ranks
    FROM jsonb_array_elements(s."slices") WITH ORDINALITY AS each(slice, place)
  ) o)
WHERE jsonb_array_length(s."slices") > 0;
