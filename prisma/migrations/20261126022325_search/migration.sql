-- AlterTable
ALTER TABLE "Sweep" ADD COLUMN     "search" JSONB,
ADD COLUMN     "searchEndedAt" TIMESTAMPTZ(3),
ADD COLUMN     "searchRevision" INTEGER NOT NULL DEFAULT 0;
