import { setTimeout as delay } from "node:timers/promises";
import type { Rival } from "./announcement-key.ts";

/** Between two attempts; an announcement is renewed each second. */
const againMs = 200;

/**
 * Announces this worker for the first time. Where another process has its id, that one has either ended, and its
 * announcement expires within five seconds, or it is alive and renews it: then this worker must not start, or both
 * would take the tasks of one.
 *
 * @param say     announces it once, and tells who has the id otherwise
 * @param failed  is told of an announcement that did not reach Redis, which is tried again
 * @throws Error when another worker is alive under this id
 */
export async function takeId(
  id: string,
  say: () => Promise<Rival | null>,
  failed: (error: unknown) => void,
): Promise<void> {
  let before: Rival | null = null;
  for (;;) {
    try {
      const rival = await say();
      if (rival === null) return;
      if (before !== null && isRenewed(rival, before)) throw new IdTaken(id, rival);
      before = rival;
    } catch (error) {
      if (error instanceof IdTaken) throw error;
      failed(error);
    }
    await delay(againMs);
  }
}

/** Time that is left only grows when somebody is there to renew it. */
function isRenewed(now: Rival, before: Rival): boolean {
  return now.bootId !== before.bootId || now.leftMs > before.leftMs;
}

/** Two workers have one id. */
export class IdTaken extends Error {
  override readonly name = "IdTaken";

  constructor(id: string, { host, pid, bootId }: Rival) {
    super(
      `Another worker has the id "${id}" and is alive: process ${pid} on ${host}, boot ${bootId}. Stop it, or give this one an id of its ` +
        "own: leave HOPWISE_WORKER_ID out, or make a credential for each worker on the dashboard's page of workers.",
    );
  }
}
