import { keyName, limits, redisKeys, type StageKey } from "@hopwise/contracts";
import type { StreamEntry } from "./stream-entry.ts";

/** What one worker runs of an active stage: whose events are read. */
export interface FollowedSlice {
  readonly key: StageKey;
  readonly workerId: string;
  /** The job is to stop: its end need not wait for what the stage tells besides. */
  readonly isCancelling: boolean;
}

const firstRepairMs = 1000;
const longestRepairMs = 60_000;

/** One slice's stream as far as it has been read, and what of it waits to be persisted. Times are performance.now(). */
export class SliceSource {
  readonly key: StageKey;
  readonly name: string;
  readonly stream: string;
  isCancelling: boolean;
  /** Read and not persisted, oldest first. */
  waiting: StreamEntry[] = [];
  /** The highest number persisted. */
  seq: number;
  /** The highest number that the worker has been told may be forgotten. */
  ackedSeq: number;
  /** The last reading came to the end of the stream, and began then. */
  endSeenAt: number | null = null;
  /** Everything sent before then has been persisted. */
  drainedAt = 0;
  /** When its worker's last event came. */
  heardAt = 0;
  #lastId: string;
  #repairs = 0;
  #seqAtRepair = -1;
  #askedUntil = 0;
  #pausedUntil = 0;

  constructor({ key, workerId, isCancelling }: FollowedSlice, seq: number) {
    this.key = key;
    this.name = keyName(key);
    this.stream = redisKeys.events(workerId, key);
    this.isCancelling = isCancelling;
    this.seq = seq;
    this.ackedSeq = seq;
    this.#lastId = `${seq}-0`;
  }

  /** The id after which reading goes on; what is persisted is never read again. */
  get lastId(): string {
    return this.#lastId;
  }

  isReadable(now: number): boolean {
    return now >= this.#pausedUntil;
  }

  /** Whether so many entries wait, or as much as one reading takes in. */
  isFull(numEntries: number): boolean {
    if (this.waiting.length >= numEntries) return true;
    return this.waiting.reduce((sum, { json }) => sum + json.length, 0) >= limits.replyBytes;
  }

  /** What a reading that began at `startedAt` and asked for `limit` entries found. */
  take(entries: readonly StreamEntry[], limit: number, startedAt: number): void {
    const last = entries.at(-1);
    if (last) {
      this.heardAt = performance.now();
      this.#lastId = last.id;
      this.waiting.push(...entries.filter(({ seq }) => seq !== null && seq > this.seq));
    }
    this.endSeenAt = entries.length < limit ? startedAt : null;
    this.#noteDrained();
  }

  /** Everything up to `seq` has been persisted. */
  advance(seq: number): void {
    this.seq = Math.max(this.seq, seq);
    const kept = this.waiting.findIndex((entry) => (entry.seq ?? 0) > this.seq);
    this.waiting = kept < 0 ? [] : this.waiting.slice(kept);
    this.#noteDrained();
  }

  /** Only this entry is still wanted. */
  skipTo(entry: StreamEntry): void {
    this.waiting = [entry];
    this.#lastId = entry.id;
  }

  /** Reads again from what has been persisted. */
  rewind(): void {
    this.waiting = [];
    this.endSeenAt = null;
    this.#lastId = `${this.seq}-0`;
  }

  /**
   * Something is missing behind what is persisted; reading goes back to there.
   *
   * @returns whether to ask for it now: asked in vain, it waits 1 s, 2 s, … 60 s before it is asked for again
   */
  beginRepair(now: number): boolean {
    this.rewind();
    if (now < this.#askedUntil) {
      this.#pausedUntil = this.#askedUntil;
      return false;
    }
    if (this.seq > this.#seqAtRepair) this.#repairs = 0;
    this.#seqAtRepair = this.seq;
    this.#askedUntil = now + Math.min(firstRepairMs * 2 ** this.#repairs, longestRepairMs);
    this.#repairs++;
    return true;
  }

  #noteDrained(): void {
    if (this.waiting.length === 0 && this.endSeenAt !== null) this.drainedAt = this.endSeenAt;
  }
}
