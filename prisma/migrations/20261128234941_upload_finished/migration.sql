-- AlterTable
ALTER TABLE "Upload" ADD COLUMN     "bytesFinished" BIGINT NOT NULL DEFAULT 0;
