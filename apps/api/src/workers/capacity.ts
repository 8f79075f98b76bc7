import { type WorkerCapacity, workerCapacity } from "@hopwise/contracts";

const known = new WeakMap<object, WorkerCapacity>();

/** What a worker said of itself, read once for everybody who asks of this row. */
export function capacityOf(worker: { announcement: unknown }): WorkerCapacity {
  const found = known.get(worker) ?? workerCapacity.parse(worker.announcement ?? {});
  known.set(worker, found);
  return found;
}
