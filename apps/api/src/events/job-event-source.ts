import { EventEmitter, setMaxListeners } from "node:events";
import { endsJob, isTerminal, redisChannels } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { PersistedJobEvent } from "../job-state/job-event.ts";
import { eventOfRow } from "../job-state/job-store.ts";

export interface JobEventSourceOptions {
  readonly prisma: PrismaClient;
  /** Connection in subscriber mode for wakes by other replicas; null: this process persists everything. */
  readonly subscriber: Redis | null;
  /** How long a follower trusts its wakes before it looks by itself. */
  readonly pollMs?: number;
}

const page = 500;

/**
 * The persisted events of a job, replayed after a cursor and then followed. The database is the only source;
 * a wake (from this process or through Redis) only says that looking again is worth it, so nothing can be
 * lost or doubled between replay and following.
 */
export class JobEventSource {
  readonly #options: Required<JobEventSourceOptions>;
  readonly #wakes = new EventEmitter().setMaxListeners(0);
  readonly #closing = new AbortController();

  constructor(options: JobEventSourceOptions) {
    this.#options = { pollMs: 3000, ...options };
    setMaxListeners(0, this.#closing.signal);
    options.subscriber?.on("message", (channel: string, jobId: string) => {
      if (channel === redisChannels.persisted) this.wake(jobId);
    });
  }

  async start(): Promise<void> {
    await this.#options.subscriber?.subscribe(redisChannels.persisted);
  }

  /** Tells followers of this job that events were committed. */
  wake(jobId: string): void {
    this.#wakes.emit(jobId);
  }

  /**
   * Every event with a cursor above `after`, in order, until the job has ended, `signal` fires or the reader returns.
   * `return()` ends a wait at once.
   */
  jobEvents(jobId: string, after = 0, signal?: AbortSignal): AsyncGenerator<PersistedJobEvent, void, void> {
    const abort = new AbortController();
    const stop = AbortSignal.any([abort.signal, this.#closing.signal, ...(signal ? [signal] : [])]);
    const events = this.#follow(jobId, after, stop);
    const end = events.return.bind(events);
    events.return = (value) => {
      abort.abort();
      return end(value);
    };
    return events;
  }

  /** Ends every follower. */
  close(): void {
    this.#closing.abort();
  }

  async *#follow(jobId: string, after: number, stop: AbortSignal): AsyncGenerator<PersistedJobEvent, void, void> {
    const wakes = this.#wakesOf(jobId, stop); // listening before the first look: a commit in between wakes us
    try {
      for (let cursor = after; !stop.aborted; ) {
        const { events, isOver } = await this.#readAfter(jobId, cursor);
        for (const event of events) {
          if (stop.aborted) return;
          cursor = event.cursor;
          yield event;
          if (endsJob(event)) return;
        }
        if (isOver) return;
        if (events.length < page) await wakes.next();
      }
    } finally {
      wakes.end();
    }
  }

  async #readAfter(jobId: string, cursor: number): Promise<{ events: PersistedJobEvent[]; isOver: boolean }> {
    const { prisma } = this.#options;
    // State first: had it been read second, events between the two reads would be missed.
    const job = await prisma.job.findUnique({ where: { id: jobId }, select: { state: true } });
    const rows = await prisma.jobEvent.findMany({
      where: { jobId, cursor: { gt: cursor } },
      orderBy: { cursor: "asc" },
      take: page,
    });
    return { events: rows.map(eventOfRow), isOver: rows.length === 0 && (job === null || isTerminal(job.state)) };
  }

  /** `next()` resolves at the next wake, at `pollMs`, or when stopped; wakes while nobody waits are kept as one. */
  #wakesOf(jobId: string, stop: AbortSignal): { next(): Promise<void>; end(): void } {
    let isPending = false;
    let resolve: (() => void) | null = null;
    const wake = () => {
      isPending = true;
      resolve?.();
    };
    this.#wakes.on(jobId, wake);
    stop.addEventListener("abort", wake);
    const next = async () => {
      let timer: NodeJS.Timeout | undefined;
      if (!isPending && !stop.aborted) {
        await new Promise<void>((done) => {
          resolve = done;
          timer = setTimeout(done, this.#options.pollMs);
        });
      }
      clearTimeout(timer);
      isPending = false;
    };
    const end = () => {
      this.#wakes.off(jobId, wake);
      stop.removeEventListener("abort", wake);
    };
    return { next, end };
  }
}
