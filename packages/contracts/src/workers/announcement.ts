import { z } from "zod";
import { workerDevice } from "./device.ts";
import { workerId } from "./worker-id.ts";

/** How busy a host is, by whatever program. */
export const workerLoad = z.object({
  busyCores: z.number().nonnegative(),
  memoryUsedBytes: z.number().nonnegative().max(Number.MAX_SAFE_INTEGER),
});
export type WorkerLoad = z.infer<typeof workerLoad>;

/** What a worker says of itself, renewed each second in Redis and expiring after five. */
export const workerAnnouncement = z.object({
  contract: z.number().int(),
  id: workerId,
  /** New at every start of the process: leases of an earlier boot are lost at once. */
  bootId: z.string(),
  host: z.string(),
  version: z.string(),
  build: z.string(),
  pid: z.number().int(),
  /** On which its backend has computed something, in a child process as steps run in; no others. */
  devices: z.array(workerDevice),
  /** Ranks it can run at once. */
  slots: z.int32().positive(),
  cores: z.number().int().positive(),
  memoryBytes: z.number(),
  diskFreeBytes: z.number(),
  /** Left out by workers that did not measure it yet */
  load: workerLoad.nullish(),
  isa: z.string(),
  labels: z.record(z.string(), z.string()),
  /** `kind:name@version` of every component it has. */
  components: z.array(z.string()),
  /** Where ranks of other hosts reach the ranks of this one; null: it takes no part in stages on several hosts. */
  rankAddress: z.string().nullable().default(null),
  draining: z.boolean(),
  /** Stages it is running, so that a restarted API can pick them up. */
  running: z.array(z.object({ jobId: z.string(), attempt: z.number().int(), stageIndex: z.number().int() })),
});
export type WorkerAnnouncement = z.infer<typeof workerAnnouncement>;
