import { keyName, keyOfTask, redisKeys, type StageTask } from "@hopwise/contracts";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { StoreGrants } from "../store/store-grants.ts";
import type { RendezvousNames } from "./rendezvous-names.ts";
import type { PlannedTask } from "./stage-tasks.ts";

export interface StageQueuesOptions {
  readonly redis: Redis;
  readonly rendezvous: RendezvousNames;
  /** Null: workers share the store's folder. */
  readonly grants: Pick<StoreGrants, "addTo"> | null;
}

/** The BullMQ queues of the workers, one each. */
export class StageQueues {
  readonly #options: StageQueuesOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: StageQueuesOptions) {
    this.#options = options;
  }

  /** Enqueueing the same stage of the same attempt twice is one task. */
  async enqueue(workerId: string, planned: PlannedTask): Promise<void> {
    const { rendezvous, grants } = this.#options;
    const task: StageTask = { ...planned, rendezvous: await rendezvous.of(planned) };
    const jobId = keyName(keyOfTask(task));
    const granted = grants ? await grants.addTo(task) : task;
    await this.#queueOf(workerId).add("stage", granted, {
      jobId,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    });
  }

  async whereIs(workerId: string, key: string): Promise<"waiting" | "active" | "gone"> {
    const state = await this.#queueOf(workerId).getJobState(key);
    if (state === "active") return "active";
    return state === "unknown" || state === "failed" || state === "completed" ? "gone" : "waiting";
  }

  /** @returns whether the task was still waiting and is gone now; false when a worker has it */
  async withdraw(workerId: string, key: string): Promise<boolean> {
    if ((await this.whereIs(workerId, key)) !== "waiting") return false;
    return (await this.#queueOf(workerId).remove(key)) === 1;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close().catch(() => {})));
  }

  #queueOf(workerId: string): Queue {
    const known = this.#queues.get(workerId);
    if (known) return known;
    const queue = new Queue(redisKeys.workerQueue(workerId), { connection: this.#options.redis });
    queue.on("error", () => {}); // each command reports its own failure
    this.#queues.set(workerId, queue);
    return queue;
  }
}
