import { endsSlice, keyName, redisChannels, redisKeys, type StageKey } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { LeadershipLost } from "../leader/leadership.ts";
import type { Logger } from "../logger.ts";
import { isWrongType } from "../redis/read-text.ts";
import { BatchSize } from "./batch-size.ts";
import { fairShares } from "./fair-shares.ts";
import { persistEachJob } from "./persist-each-job.ts";
import type { IncomingEvent, PersistResult } from "./persist-events.ts";
import { type FollowedSlice, SliceSource } from "./slice-source.ts";
import { SliceStreams } from "./slice-streams.ts";
import { eventOf, type StreamEntry } from "./stream-entry.ts";

export interface EventConsumerOptions {
  /** For short commands. */
  readonly redis: Redis;
  /** Own connection: it blocks while the streams are empty. */
  readonly blocking: Redis;
  readonly log: Logger;
  /** `keyName` → highest persisted seq, of those slices that have any. */
  readonly readPersisted: (keys: readonly StageKey[]) => Promise<ReadonlyMap<string, number>>;
  readonly persist: (events: readonly IncomingEvent[]) => Promise<PersistResult>;
  /**
   * Jobs with new JobEvents, after the commit; and whether a stage may have ended, so that there is something to
   * decide.
   */
  readonly onPersisted: (jobIds: readonly string[], movesJobs: boolean) => void;
  /** Another process leads: the consumer has stopped itself. */
  readonly onDeposed: () => void;
}

const blockMs = 500;
const retryMs = 500;
/**
 * Transactions begin this far apart, as each costs the same for one event as for a hundred; what moves a job does not
 * wait.
 */
const gatherMs = 250;
/** How long a transaction may keep others from the database. */
const transactionMs = 150;
/** The end of a job that is to stop goes ahead of its other events when more than so many wait before it. */
const hurryAfter = 1000;

interface Chosen {
  readonly source: SliceSource;
  readonly events: readonly IncomingEvent[];
}

/**
 * Reads the streams of the slices that it follows, has their events persisted, a fair share of each job in every
 * transaction, and only then acknowledges: the worker by the cumulative seq in `hw:acked`, Redis by trimming the
 * stream.
 */
export class EventConsumer {
  readonly #options: EventConsumerOptions;
  readonly #streams: SliceStreams;
  readonly #sources = new Map<string, SliceSource>();
  #followed: readonly FollowedSlice[] = [];
  #size = new BatchSize(transactionMs);
  #isRunning = false;
  #loop: Promise<void> = Promise.resolve();
  #lastHandled = Number.NEGATIVE_INFINITY;
  #stopped: Promise<void> = Promise.resolve();
  #endReading: () => void = () => {};

  constructor(options: EventConsumerOptions) {
    this.#options = options;
    this.#streams = new SliceStreams(options);
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#sources.clear(); // another leader may have persisted more of them
    this.#stopped = new Promise((resolve) => {
      this.#endReading = resolve;
    });
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#endReading();
    await this.#loop;
  }

  /** The slices of all active stages, from now on. */
  follow(slices: readonly FollowedSlice[]): void {
    this.#followed = slices;
    if (slices.every(({ key }) => this.#sources.has(keyName(key)))) return;
    this.#streams.ring().catch(() => {}); // else they are seen when the reading in progress ends
  }

  /**
   * When (performance.now()) everything that was sent before had been persisted, and when its worker last sent
   * anything.
   */
  hearing(key: StageKey): { readonly drainedAt: number; readonly heardAt: number } {
    const { drainedAt = 0, heardAt = 0 } = this.#sources.get(keyName(key)) ?? {};
    return { drainedAt, heardAt };
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      try {
        await this.#turn();
      } catch (err) {
        if (err instanceof LeadershipLost) {
          this.#isRunning = false;
          this.#options.onDeposed();
        } else {
          if (this.#isRunning) this.#options.log.warn({ err }, "events cannot be persisted now; trying again");
          for (const source of this.#sources.values()) source.rewind();
          await pause(retryMs);
        }
      }
    }
  }

  async #turn(): Promise<void> {
    await this.#acknowledge([...this.#sources.values()]);
    await this.#chooseSources();
    const sources = [...this.#sources.values()];
    const gatherUntil = this.#lastHandled + gatherMs;
    await this.#read(sources, this.#waitMs(sources, gatherUntil));
    if (!this.#isRunning) return;
    for (const source of sources) await this.#skipToEnd(source);
    if (this.#waitMs(sources, gatherUntil) > 0) return;
    await this.#handle(this.#choose(await this.#intact(sources)));
  }

  /**
   * Ends with `stop` too: a command that waits for a Redis that is away may never end, not even with its connection.
   */
  async #read(sources: readonly SliceSource[], waitMs: number): Promise<void> {
    const reading = this.#streams.read(sources, waitMs);
    reading.catch(() => {}); // else told by the race
    for (const source of (await Promise.race([reading, this.#stopped])) ?? []) {
      await this.#repair(
        source,
        "the stream cannot be read: an entry is too long, or it is none; asking the worker to begin it again",
      );
    }
  }

  /** How long to wait for more before the next transaction. */
  #waitMs(sources: readonly SliceSource[], gatherUntil: number): number {
    const waiting = sources.flatMap((source) => source.waiting);
    if (waiting.length === 0) return blockMs;
    if (waiting.length >= this.#size.events || waiting.some(({ type }) => movesJob(type))) return 0;
    return Math.max(0, gatherUntil - performance.now());
  }

  async #chooseSources(): Promise<void> {
    const followed = new Map(this.#followed.map((slice) => [keyName(slice.key), slice]));
    for (const name of this.#sources.keys()) if (!followed.has(name)) this.#sources.delete(name);
    const fresh = [...followed].filter(([name]) => !this.#sources.has(name)).map(([, slice]) => slice);
    const persisted = fresh.length > 0 ? await this.#options.readPersisted(fresh.map(({ key }) => key)) : new Map();
    for (const slice of fresh) {
      const name = keyName(slice.key);
      this.#sources.set(name, new SliceSource(slice, persisted.get(name) ?? 0));
    }
    for (const [name, source] of this.#sources) source.isCancelling = followed.get(name)?.isCancelling ?? false;
  }

  /** A job that is to stop is not kept by what it told before. */
  async #skipToEnd(source: SliceSource): Promise<void> {
    if (!source.isCancelling || source.waiting.length === 0) return;
    const isGap = (source.waiting[0]?.seq ?? 0) > source.seq + 1;
    if (!isGap && source.endSeenAt !== null && source.waiting.length <= hurryAfter) return;
    const end = await this.#streams.endOf(source);
    if (end && (isGap || (end.seq ?? 0) > source.seq + hurryAfter)) source.skipTo(end);
  }

  /** Those with something to persist; where events are missing, it is asked for them. */
  async #intact(sources: readonly SliceSource[]): Promise<SliceSource[]> {
    const intact: SliceSource[] = [];
    for (const source of sources) {
      const first = source.waiting[0];
      if (!first) continue;
      if (first.seq === source.seq + 1 || (source.isCancelling && endsSlice(first.type))) intact.push(source);
      else await this.#repair(source);
    }
    return intact;
  }

  /** Every job gets its share, and so does each of several hosts of one job. */
  #choose(sources: readonly SliceSource[]): Chosen[] {
    const jobIds = [...new Set(sources.map(({ key }) => key.jobId))];
    const jobs = jobIds.map((jobId) => sources.filter(({ key }) => key.jobId === jobId));
    const wants = (of: readonly SliceSource[]) => of.map(({ waiting }) => waiting.length);
    const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
    const ofJobs = fairShares(
      jobs.map((job) => total(wants(job))),
      this.#size.events,
    );
    return jobs.flatMap((job, i) => {
      const shares = fairShares(wants(job), ofJobs[i] ?? 0);
      return job.map((source, j) => ({ source, events: eventsOf(source, shares[j] ?? 0) }));
    });
  }

  async #handle(chosen: readonly Chosen[]): Promise<void> {
    const events = chosen.flatMap((part) => part.events);
    if (events.length === 0) return;
    const startedAt = performance.now();
    this.#lastHandled = startedAt;
    const { persisted, changedJobs, gaps, failure } = await persistEachJob(events, this.#options.persist);
    this.#size.note(events.length, performance.now() - startedAt);
    for (const { source } of chosen) source.advance(persisted.get(source.name) ?? source.seq);
    this.#options.onPersisted(
      changedJobs,
      events.some(({ event }) => movesJob(event.body.type)),
    );
    const pipeline = this.#options.redis.pipeline();
    for (const jobId of changedJobs) pipeline.publish(redisChannels.persisted, jobId);
    await executed(pipeline);
    for (const { source } of chosen) if (gaps.has(source.name)) await this.#repair(source);
    if (failure !== undefined) throw failure;
  }

  /** Two writers never race on the cumulative field: only the leader gets here. Tried again by the next turn. */
  async #acknowledge(sources: readonly SliceSource[]): Promise<void> {
    const due = sources.filter(({ seq, ackedSeq }) => seq > ackedSeq).map((source) => ({ source, seq: source.seq }));
    if (due.length === 0) return;
    const pipeline = this.#options.redis.pipeline();
    for (const { source, seq } of due) {
      pipeline.hset(redisKeys.acked, source.name, seq).xtrim(source.stream, "MINID", `${seq + 1}-0`);
    }
    await executed(pipeline, isWrongType); // no stream: the reading says so
    for (const { source, seq } of due) source.ackedSeq = seq;
  }

  /** Events are missing, or cannot be read: the worker begins the stream anew behind what has been acknowledged. */
  async #repair(source: SliceSource, why = "events are missing; asking the worker to send them again"): Promise<void> {
    if (!source.beginRepair(performance.now())) return;
    const { redis, log } = this.#options;
    log.warn({ ...source.key, stream: source.stream, after: source.seq }, why);
    const pipeline = redis.pipeline();
    pipeline.hset(redisKeys.acked, source.name, source.seq).unlink(source.stream);
    await executed(pipeline.publish(redisChannels.resend, source.name));
  }
}

/** Events that only report progress let nothing begin, and so can wait. */
const progressTypes: ReadonlySet<string> = new Set(["stageStarted", "step", "metrics", "checkpointSaved"]);

function movesJob(type: string): boolean {
  return !progressTypes.has(type);
}

/** The first `count` events of a source, as far as they follow each other. */
function eventsOf({ waiting, key, seq, isCancelling }: SliceSource, count: number): IncomingEvent[] {
  const events: IncomingEvent[] = [];
  for (const entry of waiting.slice(0, count)) {
    const isNext = entry.seq === seq + events.length + 1;
    if (!isNumbered(entry) || !(isNext || (isCancelling && events.length === 0))) break;
    events.push({ event: eventOf(entry, key), isAhead: !isNext });
  }
  return events;
}

function isNumbered(entry: StreamEntry): entry is StreamEntry & { seq: number } {
  return entry.seq !== null;
}

async function executed(
  pipeline: ReturnType<Redis["pipeline"]>,
  isPassedOver: (error: unknown) => boolean = () => false,
): Promise<void> {
  for (const [error] of (await pipeline.exec()) ?? []) if (error && !isPassedOver(error)) throw error;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
