-- CreateEnum
CREATE TYPE "ImportScheduleState" AS ENUM ('ACTIVE', 'PAUSED');

-- CreateEnum
CREATE TYPE "ImportSchedulePause" AS ENUM ('REQUESTED', 'FAILURES', 'CREDENTIAL', 'USER', 'ROLE');

-- CreateEnum
CREATE TYPE "ImportScheduleResult" AS ENUM ('CHANGED', 'UNCHANGED', 'FAILED', 'CANCELLED');

-- AlterTable
ALTER TABLE "Import" ADD COLUMN     "comparedWithId" TEXT,
ADD COLUMN     "scheduleId" TEXT;

-- AlterTable
ALTER TABLE "ImportFile" ADD COLUMN     "sealedPrefix" TEXT;

-- CreateTable
CREATE TABLE "ImportSchedule" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "datasetId" TEXT NOT NULL,
    "importId" TEXT NOT NULL,
    "everyMinutes" INTEGER,
    "cron" TEXT,
    "timeZone" TEXT NOT NULL DEFAULT 'UTC',
    "anchorAt" TIMESTAMPTZ(3) NOT NULL,
    "state" "ImportScheduleState" NOT NULL DEFAULT 'ACTIVE',
    "pauseReason" "ImportSchedulePause",
    "nextAt" TIMESTAMPTZ(3),
    "runId" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lastAt" TIMESTAMPTZ(3),
    "lastResult" "ImportScheduleResult",
    "versionId" TEXT,
    "problem" JSONB,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ImportSchedule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ImportSchedule_datasetId_createdAt_idx" ON "ImportSchedule"("datasetId", "createdAt");

-- CreateIndex
CREATE INDEX "ImportSchedule_state_nextAt_idx" ON "ImportSchedule"("state", "nextAt");

-- AddForeignKey
ALTER TABLE "ImportSchedule" ADD CONSTRAINT "ImportSchedule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportSchedule" ADD CONSTRAINT "ImportSchedule_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
