import { endsSlice, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { SliceSource } from "./slice-source.ts";
import { entryOf, type RawEntry, type StreamEntry } from "./stream-entry.ts";

/** Entries of all streams that one reading asks for, when all have so many; of one stream between the two others. */
const perReading = 4096;
const fewest = 64;
const most = 1024;

type StreamReply = [stream: string, entries: RawEntry[]][] | null;

export interface SliceStreamsOptions {
  /** For short commands. */
  readonly redis: Redis;
  /** Own connection: it blocks while the streams are empty. */
  readonly blocking: Redis;
}

/** Reads the streams of many slices at once, of each the same number of entries at most. */
export class SliceStreams {
  readonly #options: SliceStreamsOptions;
  #bellId = "0-0";

  constructor(options: SliceStreamsOptions) {
    this.#options = options;
  }

  /** Ends a reading that waits, so that the next one knows of new slices. */
  async ring(): Promise<void> {
    await this.#options.redis.xadd(redisKeys.eventsBell, "MAXLEN", 1, "*", "ring", "1");
  }

  /** Adds to each source what has come since; waits so long for the first entry of any when there is none. 0: not at all. */
  async read(sources: readonly SliceSource[], waitMs: number): Promise<void> {
    const startedAt = performance.now();
    const busy = sources.filter(({ endSeenAt }) => endSeenAt === null).length;
    const limit = Math.min(most, Math.max(fewest, Math.floor(perReading / Math.max(1, busy))));
    const read = sources.filter((source) => source.isReadable(startedAt) && source.waiting.length < limit);
    const { blocking } = this.#options;
    const streams = [redisKeys.eventsBell, ...read.map(({ stream }) => stream)];
    const after = [this.#bellId, ...read.map(({ lastId }) => lastId)];
    const from = ["STREAMS", ...streams, ...after] as const;
    const reply = (await (waitMs > 0
      ? blocking.xread("COUNT", limit, "BLOCK", Math.ceil(waitMs), ...from)
      : blocking.xread("COUNT", limit, ...from))) as StreamReply;
    const found = new Map(reply ?? []);
    this.#bellId = found.get(redisKeys.eventsBell)?.at(-1)?.[0] ?? this.#bellId;
    for (const source of read) source.take((found.get(source.stream) ?? []).map(entryOf), limit, startedAt);
  }

  /** The last entry of a slice's stream, if it ends the slice. */
  async endOf({ stream }: SliceSource): Promise<StreamEntry | null> {
    const [raw] = (await this.#options.redis.xrevrange(stream, "+", "-", "COUNT", 1)) as RawEntry[];
    const last = raw ? entryOf(raw) : null;
    return last && last.seq !== null && endsSlice(last.type) ? last : null;
  }
}
