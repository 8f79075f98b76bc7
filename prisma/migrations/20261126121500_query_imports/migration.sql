-- AlterTable
ALTER TABLE "ImportFile" ADD COLUMN     "query" TEXT,
ADD COLUMN     "rowsDone" BIGINT;
