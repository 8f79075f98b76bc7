-- CreateEnum
CREATE TYPE "ModelStage" AS ENUM ('CANDIDATE', 'PRODUCTION', 'ARCHIVED');

-- AlterTable
ALTER TABLE "Job" ADD COLUMN     "modelArtifactId" TEXT;

-- CreateTable
CREATE TABLE "RegisteredModel" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nextNumber" INTEGER NOT NULL DEFAULT 1,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RegisteredModel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModelVersion" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "stage" "ModelStage" NOT NULL DEFAULT 'CANDIDATE',
    "note" TEXT NOT NULL DEFAULT '',
    "artifactId" TEXT NOT NULL,
    "jobId" TEXT,
    "dataset" TEXT NOT NULL,
    "datasetName" TEXT NOT NULL,
    "trainedOn" JSONB NOT NULL,
    "spec" JSONB NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stageChangedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ModelVersion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "RegisteredModel_projectId_createdAt_idx" ON "RegisteredModel"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "RegisteredModel_projectId_name_key" ON "RegisteredModel"("projectId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "ModelVersion_modelId_number_key" ON "ModelVersion"("modelId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "ModelVersion_modelId_artifactId_key" ON "ModelVersion"("modelId", "artifactId");

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_modelArtifactId_fkey" FOREIGN KEY ("modelArtifactId") REFERENCES "Artifact"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RegisteredModel" ADD CONSTRAINT "RegisteredModel_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ModelVersion" ADD CONSTRAINT "ModelVersion_modelId_fkey" FOREIGN KEY ("modelId") REFERENCES "RegisteredModel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ModelVersion" ADD CONSTRAINT "ModelVersion_artifactId_fkey" FOREIGN KEY ("artifactId") REFERENCES "Artifact"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ModelVersion" ADD CONSTRAINT "ModelVersion_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE SET NULL ON UPDATE CASCADE;
