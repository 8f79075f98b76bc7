-- CreateEnum
CREATE TYPE "ImportState" AS ENUM ('WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED');

-- AlterTable
ALTER TABLE "SourceFile" ADD COLUMN     "importId" TEXT,
ADD COLUMN     "source" TEXT;

-- CreateTable
CREATE TABLE "Import" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "datasetId" TEXT NOT NULL,
    "state" "ImportState" NOT NULL DEFAULT 'WAITING',
    "replaces" BOOLEAN NOT NULL DEFAULT false,
    "spec" JSONB,
    "published" TEXT,
    "versionId" TEXT,
    "jobId" TEXT,
    "problem" JSONB,
    "waitReason" TEXT,
    "bytesPerSecond" DOUBLE PRECISION,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "holder" TEXT,
    "heldUntil" TIMESTAMPTZ(3),
    "isCleared" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ImportFile" (
    "id" TEXT NOT NULL,
    "importId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "index" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sealedUrl" TEXT NOT NULL,
    "credential" TEXT,
    "expectedSha256" TEXT,
    "bytesDone" BIGINT NOT NULL DEFAULT 0,
    "bytesTotal" BIGINT,
    "validator" TEXT,
    "isComplete" BOOLEAN NOT NULL DEFAULT false,
    "sha256" TEXT,

    CONSTRAINT "ImportFile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SourceCredential" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "hosts" JSONB NOT NULL,
    "sealed" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SourceCredential_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Import_datasetId_createdAt_idx" ON "Import"("datasetId", "createdAt");

-- CreateIndex
CREATE INDEX "Import_isCleared_createdAt_idx" ON "Import"("isCleared", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "ImportFile_importId_index_key" ON "ImportFile"("importId", "index");

-- CreateIndex
CREATE UNIQUE INDEX "SourceCredential_projectId_name_key" ON "SourceCredential"("projectId", "name");

-- AddForeignKey
ALTER TABLE "Import" ADD CONSTRAINT "Import_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Import" ADD CONSTRAINT "Import_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportFile" ADD CONSTRAINT "ImportFile_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SourceCredential" ADD CONSTRAINT "SourceCredential_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
