-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "maxDevices" INTEGER,
ADD COLUMN     "maxSlots" INTEGER,
ADD COLUMN     "maxWaitingJobs" INTEGER,
ADD COLUMN     "monthlyRankHours" DOUBLE PRECISION;

-- CreateTable
CREATE TABLE "HeldTime" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "jobId" TEXT NOT NULL,
    "stageId" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "devices" INTEGER NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "HeldTime_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Prices" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "currency" TEXT NOT NULL,
    "perRankHour" DOUBLE PRECISION NOT NULL,
    "perDeviceHour" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "Prices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "HeldTime_projectId_startedAt_idx" ON "HeldTime"("projectId", "startedAt");

-- CreateIndex
CREATE INDEX "HeldTime_stageId_endedAt_idx" ON "HeldTime"("stageId", "endedAt");

-- AddForeignKey
ALTER TABLE "HeldTime" ADD CONSTRAINT "HeldTime_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What attempts held before is known by the attempt: its ranks, on devices where it computed on such.
INSERT INTO "HeldTime" ("id", "projectId", "jobId", "stageId", "slots", "devices", "startedAt", "endedAt")
SELECT 'held_' || "id", "projectId", "jobId", '', "ranks", CASE "device" WHEN 'cpu' THEN 0 ELSE "ranks" END, "startedAt",
  coalesce("finishedAt", now())
FROM "Attempt";

-- A stage that is at work holds its ranks from now on.
INSERT INTO "HeldTime" ("id", "projectId", "jobId", "stageId", "slots", "devices", "startedAt")
SELECT 'held_' || s."id", s."projectId", s."jobId", s."id", s."ranks",
  CASE coalesce(a."device", 'cpu') WHEN 'cpu' THEN 0 ELSE s."ranks" END, now()
FROM "Stage" s JOIN "Job" j ON j."id" = s."jobId"
LEFT JOIN "Attempt" a ON a."jobId" = j."id" AND a."number" = j."attempt"
WHERE s."state" IN ('QUEUED', 'RUNNING');
