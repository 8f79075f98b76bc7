-- AlterTable
ALTER TABLE "Job" ADD COLUMN     "note" TEXT NOT NULL DEFAULT '';
