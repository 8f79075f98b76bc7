import { appendFileSync, closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import {
  contractVersion,
  type StageKey,
  type WorkerEvent,
  type WorkerEventBody,
  workerEvent,
} from "@hopwise/contracts";

/** Unacknowledged events of one stage that may wait in its file. */
export interface OutboxLimits {
  /** Above this, what a later event replaces (progress, rank, info logs) is left out. */
  readonly soft: number;
  /** Above this, only what decides the job's fate is taken: incidents, checkpoints, the end. */
  readonly hard: number;
}

const compactAfter = 1000;
const terminal = new Set(["stageSucceeded", "sliceFinished", "stageFailed", "stageCancelled"]);

/**
 * The unacknowledged events of one stage, in memory and in a file of JSON lines, so that they outlive the worker.
 * The first line, `{"trimmed": n}`, says that events 1 … n were acknowledged. Appends are synchronous and small:
 * an event is in the file before anyone can see it.
 */
export class StageOutbox {
  readonly key: StageKey;
  readonly #path: string;
  readonly #limits: OutboxLimits;
  #file: number;
  #trimmed: number;
  #pending: WorkerEvent[];
  #linesInFile = 0;
  #leftOut = 0;
  #sentSeq: number;

  private constructor(path: string, key: StageKey, limits: OutboxLimits, trimmed: number, pending: WorkerEvent[]) {
    this.#path = path;
    this.key = key;
    this.#limits = limits;
    this.#trimmed = trimmed;
    this.#pending = pending;
    this.#sentSeq = trimmed;
    this.#file = this.#rewrite();
  }

  /** A new outbox whose events count from `trimmed + 1`. */
  static create(path: string, key: StageKey, limits: OutboxLimits, trimmed = 0): StageOutbox {
    return new StageOutbox(path, key, limits, trimmed, []);
  }

  /** What an earlier life of this worker left; a last line cut off by its death was never sent and is dropped. */
  static recover(path: string, key: StageKey, limits: OutboxLimits): StageOutbox {
    const [head, ...lines] = readFileSync(path, "utf8").split("\n");
    const events = lines.flatMap((line) => parseLine(line));
    const trimmed = Number(/^\{"trimmed":(\d+)\}$/.exec(head ?? "")?.[1] ?? (events[0]?.seq ?? 1) - 1);
    return new StageOutbox(path, key, limits, trimmed, events);
  }

  /** Numbers the event and keeps it until it is acknowledged; false when the limits leave it out. */
  append(body: WorkerEventBody): boolean {
    if (this.isFinished || !this.#admits(body)) {
      this.#leftOut++;
      return false;
    }
    if (this.#leftOut > 0) {
      const message = `${this.#leftOut} events were left out while the service did not answer`;
      this.#leftOut = 0;
      this.#write({ type: "step", event: { type: "log", level: "warn", rank: 0, message } });
    }
    this.#write(body);
    return true;
  }

  /** Whether the stage's last event has been appended. */
  get isFinished(): boolean {
    return terminal.has(this.#pending.at(-1)?.body.type ?? "");
  }

  /** When the newest waiting event happened, in milliseconds of the epoch. */
  get lastAppend(): number {
    return Date.parse(this.#pending.at(-1)?.at ?? new Date().toISOString());
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** The next events to send, oldest first. */
  unsent(limit: number): readonly WorkerEvent[] {
    const from = this.#pending.findIndex((event) => event.seq > this.#sentSeq);
    return from < 0 ? [] : this.#pending.slice(from, from + limit);
  }

  /** Notes a batch as sent, unless a `rewind` came while it was under way. */
  markSent(events: readonly WorkerEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (first && last && this.#sentSeq >= first.seq - 1) this.#sentSeq = Math.max(this.#sentSeq, last.seq);
  }

  /** Everything unacknowledged counts as unsent again. */
  rewind(): void {
    this.#sentSeq = this.#trimmed;
  }

  /** Forgets events up to `seq`, which the API has persisted; true when that forgot any. */
  trim(seq: number): boolean {
    if (seq <= this.#trimmed) return false;
    this.#pending = this.#pending.filter((event) => event.seq > seq);
    this.#trimmed = seq;
    this.#sentSeq = Math.max(this.#sentSeq, seq);
    if (this.#linesInFile - this.#pending.length >= compactAfter) {
      closeSync(this.#file);
      this.#file = this.#rewrite();
    }
    return true;
  }

  close(): void {
    closeSync(this.#file);
  }

  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }

  #admits(body: WorkerEventBody): boolean {
    if (body.type !== "step" || this.#pending.length < this.#limits.soft) return true;
    const { event } = body;
    const replaceable =
      event.type === "progress" ||
      event.type === "rank" ||
      (event.type === "log" && (event.level === "debug" || event.level === "info"));
    return !replaceable && this.#pending.length < this.#limits.hard;
  }

  #write(body: WorkerEventBody): void {
    const seq = (this.#pending.at(-1)?.seq ?? this.#trimmed) + 1;
    const event: WorkerEvent = { contract: contractVersion, ...this.key, seq, at: new Date().toISOString(), body };
    appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
    this.#linesInFile++;
    this.#pending.push(event);
  }

  /** Writes header and pending events beside the file and renames: a death in between leaves the old file whole. */
  #rewrite(): number {
    const lines = [JSON.stringify({ trimmed: this.#trimmed }), ...this.#pending.map((event) => JSON.stringify(event))];
    writeFileSync(`${this.#path}.new`, `${lines.join("\n")}\n`);
    renameSync(`${this.#path}.new`, this.#path);
    this.#linesInFile = this.#pending.length;
    return openSync(this.#path, "a");
  }
}

function parseLine(line: string): WorkerEvent[] {
  try {
    const parsed = workerEvent.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
