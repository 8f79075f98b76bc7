-- AlterTable
ALTER TABLE "Sweep" ADD COLUMN     "isEndDue" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Notice" ADD COLUMN     "sweepId" TEXT,
ALTER COLUMN "jobId" DROP NOT NULL;

-- AddForeignKey
ALTER TABLE "Notice" ADD CONSTRAINT "Notice_sweepId_fkey" FOREIGN KEY ("sweepId") REFERENCES "Sweep"("id") ON DELETE CASCADE ON UPDATE CASCADE;
