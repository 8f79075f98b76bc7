-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN     "sweptAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Attempt_sweptAt_finishedAt_idx" ON "Attempt"("sweptAt", "finishedAt");
