-- AlterTable
ALTER TABLE "DatasetVersion" ADD COLUMN     "filesRevision" INTEGER NOT NULL DEFAULT 0;
