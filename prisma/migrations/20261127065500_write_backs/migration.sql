-- CreateEnum
CREATE TYPE "WriteBackState" AS ENUM ('WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED');

-- CreateTable
CREATE TABLE "WriteBack" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "jobId" TEXT NOT NULL,
    "state" "WriteBackState" NOT NULL DEFAULT 'WAITING',
    "url" TEXT NOT NULL,
    "credential" TEXT NOT NULL,
    "schema" TEXT NOT NULL,
    "table" TEXT NOT NULL,
    "output" TEXT NOT NULL,
    "nodeType" TEXT,
    "columns" JSONB NOT NULL,
    "vector" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "exportJobId" TEXT,
    "rowsDone" BIGINT NOT NULL DEFAULT 0,
    "rowsTotal" BIGINT,
    "rowsPerSecond" DOUBLE PRECISION,
    "isCommitting" BOOLEAN NOT NULL DEFAULT false,
    "problem" JSONB,
    "waitReason" TEXT,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "holder" TEXT,
    "heldUntil" TIMESTAMPTZ(3),

    CONSTRAINT "WriteBack_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "WriteBack_jobId_createdAt_idx" ON "WriteBack"("jobId", "createdAt");

-- CreateIndex
CREATE INDEX "WriteBack_projectId_state_idx" ON "WriteBack"("projectId", "state");

-- CreateIndex
CREATE INDEX "WriteBack_state_createdAt_idx" ON "WriteBack"("state", "createdAt");

-- AddForeignKey
ALTER TABLE "WriteBack" ADD CONSTRAINT "WriteBack_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WriteBack" ADD CONSTRAINT "WriteBack_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
