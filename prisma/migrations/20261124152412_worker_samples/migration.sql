-- CreateTable
CREATE TABLE "WorkerSample" (
    "workerId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootId" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "heldSlots" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,

    CONSTRAINT "WorkerSample_pkey" PRIMARY KEY ("workerId","at")
);

-- CreateIndex
CREATE INDEX "WorkerSample_at_idx" ON "WorkerSample"("at");
