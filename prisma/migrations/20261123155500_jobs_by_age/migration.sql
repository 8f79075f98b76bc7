-- DropIndex
DROP INDEX "Job_projectId_createdAt_idx";

-- CreateIndex
CREATE INDEX "Job_projectId_createdAt_id_idx" ON "Job"("projectId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Job_createdAt_id_idx" ON "Job"("createdAt", "id");
