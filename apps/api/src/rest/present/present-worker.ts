import { type WorkerAnswer, type WorkerCredentialAnswer, workerUserName } from "@hopwise/contracts";
import type { Worker, WorkerCredential } from "../../generated/prisma/client.ts";
import { capacityOf } from "../../workers/capacity.ts";
import { shownWorkerState } from "../../workers/worker-directory.ts";

export function presentWorker(worker: Worker, now: Date): WorkerAnswer {
  const { id, host, version, build, compatible, reason, drained, firstSeen, lastSeen } = worker;
  return {
    id,
    host,
    version,
    build,
    compatible,
    reason,
    state: shownWorkerState(worker, now),
    drained,
    firstSeen: firstSeen.toISOString(),
    lastSeen: lastSeen.toISOString(),
    ...capacityOf(worker),
  };
}

export function presentWorkerCredential({ workerId, createdAt }: WorkerCredential): WorkerCredentialAnswer {
  return { workerId, user: workerUserName(workerId), createdAt: createdAt.toISOString() };
}
