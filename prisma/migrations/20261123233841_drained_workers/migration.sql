-- AlterTable
ALTER TABLE "Worker" ADD COLUMN     "drained" BOOLEAN NOT NULL DEFAULT false;
