import { redisChannels, redisKeys, type WorkerEvent, type WorkerEventBody, workerEvent } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { LeadershipLost } from "../scheduler/leader.ts";
import type { Logger } from "../scheduler/logger.ts";
import type { PersistResult } from "./persist-events.ts";

export interface EventConsumerOptions {
  /** For short commands. */
  readonly redis: Redis;
  /** Own connection: it blocks while the stream is empty. */
  readonly blocking: Redis;
  readonly log: Logger;
  /** Unique per process start. */
  readonly consumer: string;
  readonly persist: (events: readonly WorkerEvent[]) => Promise<PersistResult>;
  /** Jobs with new JobEvents, after the commit; and whether a stage may have ended, so that there is something to decide. */
  readonly onPersisted: (jobIds: readonly string[], movesJobs: boolean) => void;
  /** Another process leads: the consumer has stopped itself. */
  readonly onDeposed: () => void;
}

interface Entry {
  readonly id: string;
  readonly event: WorkerEvent | null;
}

const batch = 256;
const blockMs = 500;
const retryMs = 500;
const resendEveryMs = 1000;
/** Transactions begin this far apart, as each costs the same for one event as for a hundred; what moves a job does not wait. */
const gatherMs = 250;

type StreamReply = [stream: string, entries: [id: string, fields: string[]][]][] | null;
type ClaimReply = [next: string, entries: ([id: string, fields: string[]] | null)[], deleted: string[]];

/**
 * Reads the workers' event stream as the one consumer of group `api`, has it persisted, and only then
 * acknowledges: entry by XACK and XDEL, worker by the cumulative seq in `hw:acked`.
 */
export class EventConsumer {
  readonly #options: EventConsumerOptions;
  #isRunning = false;
  #mustClaim = true;
  #loop: Promise<void> = Promise.resolve();
  #lastResend = 0;
  #lastHandled = Number.NEGATIVE_INFINITY;
  #resendTimer: NodeJS.Timeout | null = null;
  /** performance.now() when the stream was last seen empty: what was sent before that has been persisted. */
  drainedAt = 0;

  constructor(options: EventConsumerOptions) {
    this.#options = options;
    // What was delivered but lost with the connection is pending under our name: read it again.
    options.blocking.on("ready", () => {
      this.#mustClaim = true;
    });
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#mustClaim = true;
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
    if (this.#resendTimer) clearTimeout(this.#resendTimer);
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      try {
        await this.#turn();
      } catch (err) {
        if (err instanceof LeadershipLost) {
          this.#isRunning = false;
          this.#options.onDeposed();
        } else if (isNoGroup(err)) {
          await this.#createGroup().catch(() => {});
        } else {
          if (this.#isRunning) this.#options.log.warn({ err }, "events cannot be persisted now; trying again");
          this.#mustClaim = true; // entries of the failed batch are pending
          await pause(retryMs);
        }
      }
    }
  }

  async #turn(): Promise<void> {
    if (this.#mustClaim) return this.#claimPending();
    const entries = await this.#read(blockMs);
    if (entries.length === 0) {
      this.drainedAt = performance.now();
      return;
    }
    await this.#gather(entries);
    await this.#handle(entries);
  }

  async #read(waitMs: number): Promise<Entry[]> {
    const { blocking, consumer } = this.#options;
    const group = ["GROUP", redisKeys.eventsGroup, consumer] as const;
    const reply = (await blocking.xreadgroup(
      ...group,
      "COUNT",
      batch,
      "BLOCK",
      waitMs,
      "STREAMS",
      redisKeys.events,
      ">",
    )) as StreamReply;
    return entriesOf(reply?.[0]?.[1] ?? []);
  }

  /** Adds what comes until it is time for the next transaction. If that fails, all of it is pending and claimed again. */
  async #gather(entries: Entry[]): Promise<void> {
    while (this.#isRunning && entries.length < batch && !entries.some(movesJob)) {
      const left = Math.ceil(this.#lastHandled + gatherMs - performance.now());
      if (left <= 0) return;
      entries.push(...(await this.#read(left)));
    }
  }

  /** Takes over what any consumer has read and not acknowledged: only the leader consumes, so the others are dead. */
  async #claimPending(): Promise<void> {
    this.#mustClaim = false;
    await this.#createGroup();
    const { redis, consumer } = this.#options;
    const { events, eventsGroup } = redisKeys;
    for (let cursor = "0-0"; ; ) {
      const reply = (await redis.xautoclaim(events, eventsGroup, consumer, 0, cursor, "COUNT", batch)) as ClaimReply;
      const entries = entriesOf(reply[1].filter((entry) => entry !== null));
      if (entries.length > 0) await this.#handle(entries);
      cursor = reply[0];
      if (cursor === "0-0") break;
    }
    const consumers = (await redis.xinfo("CONSUMERS", events, eventsGroup)) as unknown[];
    for (const name of consumers.map(nameOf)) {
      if (name !== consumer) await redis.xgroup("DELCONSUMER", events, eventsGroup, name);
    }
  }

  /** From 0, not $: after a FLUSHALL the workers may have sent again before the group was there. */
  async #createGroup(): Promise<void> {
    const { redis } = this.#options;
    await redis.xgroup("CREATE", redisKeys.events, redisKeys.eventsGroup, "0", "MKSTREAM").catch((error: unknown) => {
      if (!String(error).includes("BUSYGROUP")) throw error;
    });
  }

  async #handle(entries: readonly Entry[]): Promise<void> {
    const events = entries.flatMap(({ event }) => event ?? []);
    this.#lastHandled = performance.now();
    const { redis, log, persist, onPersisted } = this.#options;
    if (events.length < entries.length)
      log.error({ count: entries.length - events.length }, "malformed events dropped");
    const { acked, changedJobs, hasGap } = await persist(events);
    onPersisted(changedJobs, entries.some(movesJob));
    const pipeline = redis.pipeline();
    // The field is cumulative, but two writers never race: only the leader gets here.
    for (const [key, seq] of acked) pipeline.hset(redisKeys.acked, key, seq);
    const ids = entries.map(({ id }) => id);
    pipeline.xack(redisKeys.events, redisKeys.eventsGroup, ...ids).xdel(redisKeys.events, ...ids);
    for (const jobId of changedJobs) pipeline.publish(redisChannels.persisted, jobId);
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    if (hasGap) await this.#askForResend();
  }

  /** At most once a second. A request that comes too soon is sent when its time has come: no other event may follow. */
  async #askForResend(): Promise<void> {
    if (this.#resendTimer) return;
    const wait = this.#lastResend + resendEveryMs - Date.now();
    if (wait <= 0) return this.#publishResend();
    this.#resendTimer = setTimeout(() => {
      this.#resendTimer = null;
      // Without Redis nobody hears it; workers send again by themselves when it is back.
      this.#publishResend().catch(() => {});
    }, wait);
  }

  async #publishResend(): Promise<void> {
    this.#lastResend = Date.now();
    await this.#options.redis.publish(redisChannels.resend, "gap");
  }
}

/** What only tells how a stage is getting on can wait. */
/** What only tells of a stage under way, and lets nothing begin. */
const tidings = new Set<WorkerEventBody["type"]>(["stageStarted", "step", "checkpointSaved"]);

function movesJob({ event }: Entry): boolean {
  return event !== null && !tidings.has(event.body.type);
}

function entriesOf(raw: readonly [string, string[] | null][]): Entry[] {
  return raw.map(([id, fields]) => ({ id, event: parseEvent(fields ?? []) }));
}

function parseEvent(fields: readonly string[]): WorkerEvent | null {
  try {
    const parsed = workerEvent.safeParse(JSON.parse(fields[fields.indexOf("event") + 1] ?? ""));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** XINFO CONSUMERS gives a map (RESP3) or a flat list (RESP2) per consumer. */
function nameOf(consumer: unknown): string {
  if (Array.isArray(consumer)) return String(consumer[consumer.indexOf("name") + 1]);
  return String((consumer as { name: unknown }).name);
}

function isNoGroup(error: unknown): boolean {
  return error instanceof Error && error.message.includes("NOGROUP");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
