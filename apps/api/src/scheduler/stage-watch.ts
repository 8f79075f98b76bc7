/** What is seen of an active stage in one round. */
export interface StageObservation {
  /** `<jobId>-<attempt>-<stageIndex>` */
  readonly key: string;
  readonly state: "QUEUED" | "RUNNING";
  readonly workerId: string;
  readonly host: string;
  /** The boot of the worker that the attempt was granted to. */
  readonly attemptBootId: string;
  /** The boot that the worker announces now; null: it announces nothing. */
  readonly bootId: string | null;
  /** Holder of the attempt's lease, `<workerId>/<bootId>`. */
  readonly lease: string | null;
  /** Where the task is, for a QUEUED stage; `gone`: Redis does not know it. */
  readonly queue: "waiting" | "active" | "gone" | null;
  /** When every event of it that had been sent was persisted. */
  readonly drainedAt: number;
  /** When its worker's last event came: a stage that has ended tells what it has left without a lease. */
  readonly heardAt: number;
}

/** The round's clock, all of one monotonic clock in ms. */
export interface WatchClock {
  readonly now: number;
  /** Since when Redis has answered without a break. */
  readonly reachableSince: number;
}

export type Finding =
  /** `bootId`: the boot that holds the lease, when it is known. */
  | { readonly kind: "fine"; readonly bootId: string | null }
  /** The queue has forgotten a task that nobody has begun. */
  | { readonly kind: "enqueue" }
  | { readonly kind: "lost"; readonly detail: string };

/**
 * Decides whether an active stage is still in good hands. A stage is lost when its worker announces another boot, or
 * when for `graceMs` of unbroken sight of Redis nobody holds its lease and no event of it comes or waits to be read.
 */
export class StageWatch {
  readonly #graceMs: number;
  readonly #unheldSince = new Map<string, number>();
  readonly #enqueuedAgain = new Set<string>();

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  judge(seen: StageObservation, clock: WatchClock): Finding {
    const holder = seen.lease?.split("/").at(-1) ?? null;
    if (isRebooted(seen, holder))
      return this.#lost(seen, `The worker on ${seen.host} was restarted while it had this stage.`);
    if (holder !== null || (seen.queue === "waiting" && seen.bootId !== null)) {
      this.#unheldSince.delete(seen.key);
      return { kind: "fine", bootId: holder };
    }
    const since = this.#unheldSince.get(seen.key) ?? clock.now;
    this.#unheldSince.set(seen.key, since);
    const silentSince = Math.max(since, clock.reachableSince, seen.heardAt);
    const isOver = clock.now - silentSince > this.#graceMs && seen.drainedAt > since;
    if (!isOver) return { kind: "fine", bootId: null };
    if (seen.queue === "gone" && seen.bootId !== null && !this.#enqueuedAgain.has(seen.key)) {
      this.#enqueuedAgain.add(seen.key);
      this.#unheldSince.delete(seen.key);
      return { kind: "enqueue" };
    }
    const seconds = Math.round(this.#graceMs / 1000);
    return this.#lost(seen, `The worker on ${seen.host} has not renewed its lease for more than ${seconds} s.`);
  }

  /** Redis was emptied: every task may have to be enqueued once more. */
  forgetQueue(): void {
    this.#enqueuedAgain.clear();
  }

  /** Keeps only what is said of these stages. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#unheldSince.keys()) if (!keys.has(key)) this.#unheldSince.delete(key);
    for (const key of this.#enqueuedAgain) if (!keys.has(key)) this.#enqueuedAgain.delete(key);
  }

  #lost(seen: StageObservation, detail: string): Finding {
    this.#unheldSince.delete(seen.key);
    return { kind: "lost", detail };
  }
}

/**
 * The worker lives on as another process than the one that has the stage. A task that only waits may wait for the new
 * one.
 */
function isRebooted({ state, bootId, attemptBootId }: StageObservation, holder: string | null): boolean {
  const owner = holder ?? (state === "RUNNING" ? attemptBootId : null);
  return bootId !== null && owner !== null && bootId !== owner;
}
