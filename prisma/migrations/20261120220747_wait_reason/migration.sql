-- AlterTable
ALTER TABLE "Job" ADD COLUMN     "waitReason" TEXT;
