-- AlterTable
ALTER TABLE "Dataset" ADD COLUMN     "isForModel" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "ModelVersion" ADD COLUMN     "isUploaded" BOOLEAN NOT NULL DEFAULT false;
