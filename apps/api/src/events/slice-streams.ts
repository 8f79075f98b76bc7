import { endsSlice, limits, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { isWrongType } from "../redis/read-text.ts";
import { ReplyBound, ReplyTooLong } from "../redis/reply-bound.ts";
import type { SliceSource } from "./slice-source.ts";
import { entryOf, type RawEntry, type StreamEntry } from "./stream-entry.ts";

/** Entries of all streams that one reading asks for, when all have so many; of one stream between the two others. */
const perReading = 4096;
const fewest = 64;
const most = 1024;
/** So many of the longest events of one stream, in characters of three bytes, are less than a reading may bring. */
const few = 4;
/** After a reply that was too long, each stream is read by itself for so long. */
const apartMs = 1000;

type StreamReply = [stream: string, entries: RawEntry[]][] | null;

export interface SliceStreamsOptions {
  /** For short commands. */
  readonly redis: Redis;
  /** Own connection: it blocks while the streams are empty. */
  readonly blocking: Redis;
}

/**
 * Reads the streams of many slices at once, of each the same number of entries at most. A worker may write entries of
 * any length, or something else under a stream's name: a reply that grows too long is not received to its end, and
 * streams are read one by one to find whose it is.
 */
export class SliceStreams {
  readonly #options: SliceStreamsOptions;
  readonly #bound: ReplyBound;
  #bellId = "0-0";
  #apartUntil = Number.NEGATIVE_INFINITY;

  constructor(options: SliceStreamsOptions) {
    this.#options = options;
    this.#bound = new ReplyBound(options.blocking, limits.replyBytes);
  }

  /** Ends a reading that waits, so that the next one knows of new slices. */
  async ring(): Promise<void> {
    await this.#options.redis.xadd(redisKeys.eventsBell, "MAXLEN", 1, "*", "ring", "1");
  }

  /**
   * Adds to each source what has come since; waits so long for the first entry of any when there is none. 0: not at
   * all.
   *
   * @returns sources whose streams cannot be read: with an entry that is too long, or no stream at all
   */
  async read(sources: readonly SliceSource[], waitMs: number): Promise<SliceSource[]> {
    const now = performance.now();
    const busy = sources.filter(({ endSeenAt }) => endSeenAt === null).length;
    const limit = Math.min(most, Math.max(fewest, Math.floor(perReading / Math.max(1, busy))));
    const read = sources.filter((source) => source.isReadable(now) && !source.isFull(limit));
    if (now < this.#apartUntil) return await this.#readApart(read);
    try {
      await this.#readTogether(read, limit, waitMs);
      return [];
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#apartUntil = performance.now() + apartMs;
      return await this.#readApart(read);
    }
  }

  /** The last entry of a slice's stream, if it ends the slice. */
  async endOf({ stream }: SliceSource): Promise<StreamEntry | null> {
    const { blocking } = this.#options;
    const command = () => blocking.xrevrange(stream, "+", "-", "COUNT", 1) as Promise<RawEntry[]>;
    const [raw] = await this.#bound.within(command).catch(noneIfUnreadable);
    const last = raw ? entryOf(raw) : null;
    return last && last.seq !== null && endsSlice(last.type) ? last : null;
  }

  async #readTogether(sources: readonly SliceSource[], limit: number, waitMs: number): Promise<void> {
    const startedAt = performance.now();
    const streams = [redisKeys.eventsBell, ...sources.map(({ stream }) => stream)];
    const after = [this.#bellId, ...sources.map(({ lastId }) => lastId)];
    const found = await this.#ask(limit, waitMs, ["STREAMS", ...streams, ...after]);
    this.#bellId = found.get(redisKeys.eventsBell)?.at(-1)?.[0] ?? this.#bellId;
    for (const source of sources) source.take((found.get(source.stream) ?? []).map(entryOf), limit, startedAt);
  }

  async #readApart(sources: readonly SliceSource[]): Promise<SliceSource[]> {
    const unreadable: SliceSource[] = [];
    for (const source of sources) {
      const startedAt = performance.now();
      try {
        const found = await this.#ask(few, 0, ["STREAMS", source.stream, source.lastId]);
        source.take((found.get(source.stream) ?? []).map(entryOf), few, startedAt);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        unreadable.push(source);
      }
    }
    return unreadable;
  }

  /** By stream, what has come. */
  async #ask(
    limit: number,
    waitMs: number,
    from: readonly ["STREAMS", ...string[]],
  ): Promise<ReadonlyMap<string, RawEntry[]>> {
    const { blocking } = this.#options;
    const reply = await this.#bound.within(async () => {
      return waitMs > 0
        ? await blocking.xread("COUNT", limit, "BLOCK", Math.ceil(waitMs), ...from)
        : await blocking.xread("COUNT", limit, ...from);
    });
    return new Map((reply as StreamReply) ?? []);
  }
}

function noneIfUnreadable(error: unknown): RawEntry[] {
  if (isUnreadable(error)) return [];
  throw error;
}

/** An entry is too long, or what has a stream's name is none. */
function isUnreadable(error: unknown): boolean {
  return error instanceof ReplyTooLong || isWrongType(error);
}
