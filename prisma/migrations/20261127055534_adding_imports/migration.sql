-- AlterTable
ALTER TABLE "Import" ADD COLUMN     "adds" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "ImportFile" ADD COLUMN     "storedAs" TEXT;

-- AlterTable
ALTER TABLE "ImportSchedule" ADD COLUMN     "adds" BOOLEAN NOT NULL DEFAULT false;
