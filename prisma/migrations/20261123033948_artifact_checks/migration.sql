-- CreateTable
CREATE TABLE "ArtifactCheck" (
    "artifactId" TEXT NOT NULL,
    "checkedAt" TIMESTAMPTZ(3) NOT NULL,
    "damage" JSONB,

    CONSTRAINT "ArtifactCheck_pkey" PRIMARY KEY ("artifactId")
);

-- CreateIndex
CREATE INDEX "ArtifactCheck_checkedAt_idx" ON "ArtifactCheck"("checkedAt");

-- AddForeignKey
ALTER TABLE "ArtifactCheck" ADD CONSTRAINT "ArtifactCheck_artifactId_fkey" FOREIGN KEY ("artifactId") REFERENCES "Artifact"("id") ON DELETE CASCADE ON UPDATE CASCADE;
