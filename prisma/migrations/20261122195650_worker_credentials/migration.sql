-- CreateTable
CREATE TABLE "WorkerCredential" (
    "workerId" TEXT NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkerCredential_pkey" PRIMARY KEY ("workerId")
);
