-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN     "resumedFromEpoch" INTEGER;
