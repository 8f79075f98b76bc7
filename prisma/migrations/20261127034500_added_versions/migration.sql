-- AlterTable
ALTER TABLE "DatasetVersion" ADD COLUMN     "addsTo" INTEGER;

-- AlterTable
ALTER TABLE "SourceFile" ADD COLUMN     "carriedFrom" INTEGER;
