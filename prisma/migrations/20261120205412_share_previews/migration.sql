-- DropIndex
DROP INDEX "DatasetVersion_previewId_key";
