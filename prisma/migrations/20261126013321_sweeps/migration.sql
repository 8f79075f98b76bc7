-- AlterTable
ALTER TABLE "Job" ADD COLUMN     "seed" INTEGER,
ADD COLUMN     "setting" INTEGER,
ADD COLUMN     "sweepId" TEXT,
ADD COLUMN     "validation" DOUBLE PRECISION;

-- CreateTable
CREATE TABLE "Sweep" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "datasetName" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "grid" JSONB NOT NULL,
    "seeds" JSONB NOT NULL,
    "settings" JSONB NOT NULL,
    "chiefMetric" TEXT,
    "direction" TEXT,
    "idempotencyKey" TEXT,
    "requestHash" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Sweep_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Sweep_projectId_createdAt_id_idx" ON "Sweep"("projectId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Sweep_projectId_idempotencyKey_key" ON "Sweep"("projectId", "idempotencyKey");

-- CreateIndex
CREATE INDEX "Job_sweepId_setting_idx" ON "Job"("sweepId", "setting");

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_sweepId_fkey" FOREIGN KEY ("sweepId") REFERENCES "Sweep"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Sweep" ADD CONSTRAINT "Sweep_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
