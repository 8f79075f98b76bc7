-- CreateEnum
CREATE TYPE "UploadState" AS ENUM ('RECEIVING', 'FINISHING', 'DONE', 'FAILED');

-- CreateTable
CREATE TABLE "Upload" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "datasetId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytesTotal" BIGINT NOT NULL,
    "bytesDone" BIGINT NOT NULL DEFAULT 0,
    "expectedSha256" TEXT,
    "fingerprint" TEXT,
    "replaces" BOOLEAN NOT NULL DEFAULT false,
    "state" "UploadState" NOT NULL DEFAULT 'RECEIVING',
    "problem" JSONB,
    "versionId" TEXT,
    "sha256" TEXT,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "holder" TEXT,
    "heldUntil" TIMESTAMPTZ(3),

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Upload_datasetId_createdAt_idx" ON "Upload"("datasetId", "createdAt");

-- CreateIndex
CREATE INDEX "Upload_state_expiresAt_idx" ON "Upload"("state", "expiresAt");

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
