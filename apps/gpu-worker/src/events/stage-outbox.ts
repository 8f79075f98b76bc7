import { readFileSync, rmSync } from "node:fs";
import {
  contractVersion,
  endsSlice,
  leadRank,
  type StageKey,
  type WorkerEvent,
  type WorkerEventBody,
} from "@hopwise/contracts";
import { fittingEvent } from "./fitting-event.ts";
import { LineFile } from "./line-file.ts";

/** What may wait of one stage, in memory and in its file, while nobody acknowledges. */
export interface OutboxLimits {
  /** From so many events on, what a later event replaces (progress, rank, info logs) is left out. */
  readonly soft: number;
  /** From so many on, only what decides the job's fate is taken: incidents, checkpoints, the end. */
  readonly hard: number;
  /** As `hard`, in bytes; `soft` holds from half of it on. */
  readonly maxBytes: number;
}

/** An event as it waits: its place in the story, and what goes into the stream. */
export interface WaitingEvent {
  readonly seq: number;
  readonly type: WorkerEventBody["type"];
  readonly json: string;
}

/** Lines of forgotten events that a file may hold before it is written anew; never more than twice what waits. */
const compactAfter = 1000;

/**
 * The unacknowledged events of one stage, in memory and in a file of JSON lines, so that they outlive the worker. The
 * first line, `{"trimmed": n}`, says that events 1 … n were acknowledged. Appends are synchronous and small: an event
 * is in the file before anyone can see it, unless the disk is full. Every operation costs what it touches, not what
 * waits.
 */
export class StageOutbox {
  readonly key: StageKey;
  readonly #path: string;
  readonly #limits: OutboxLimits;
  readonly #file: LineFile;
  #trimmed: number;
  /** Consecutive: the event with number `trimmed + 1 + i` is at `first + i`. */
  #events: WaitingEvent[];
  /** Everything before has been forgotten; cut off when it is half of the array. */
  #first = 0;
  #bytes: number;
  #linesInFile = 0;
  #leftOut = 0;
  #lastAppend = performance.now();

  private constructor(path: string, key: StageKey, limits: OutboxLimits, trimmed: number, events: WaitingEvent[]) {
    this.#path = path;
    this.key = key;
    this.#limits = limits;
    this.#trimmed = trimmed;
    this.#events = events;
    this.#bytes = events.reduce((sum, { json }) => sum + json.length, 0);
    this.#file = new LineFile(path, () => this.#lines());
    this.#linesInFile = this.length;
  }

  /** A new outbox whose events count from `trimmed + 1`. */
  static create(path: string, key: StageKey, limits: OutboxLimits, trimmed = 0): StageOutbox {
    return new StageOutbox(path, key, limits, trimmed, []);
  }

  /** What an earlier life of this worker left; a last line cut off by its death was never sent and is dropped. */
  static recover(path: string, key: StageKey, limits: OutboxLimits): StageOutbox {
    const [head, ...lines] = readFileSync(path, "utf8").split("\n");
    const found = lines.flatMap((json) => readLine(json));
    const trimmed = Number(/^\{"trimmed":(\d+)\}$/.exec(head ?? "")?.[1] ?? (found[0]?.seq ?? 1) - 1);
    const end = found.findIndex(({ seq }, i) => seq !== trimmed + 1 + i);
    return new StageOutbox(path, key, limits, trimmed, end < 0 ? found : found.slice(0, end));
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
      this.#write({ type: "step", event: { type: "log", level: "warn", member: leadRank, message } });
    }
    this.#write(fittingEvent(body));
    return true;
  }

  /** Whether the stage's last event has been appended. */
  get isFinished(): boolean {
    return !this.isEmpty && endsSlice(this.#events.at(-1)?.type ?? "");
  }

  /** When the newest event was appended (by this life of the worker), by performance.now(). */
  get lastAppend(): number {
    return this.#lastAppend;
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Events that wait. */
  get length(): number {
    return this.#events.length - this.#first;
  }

  /** The highest number that has been acknowledged, or need not be any more. */
  get trimmed(): number {
    return this.#trimmed;
  }

  /** The highest number given. */
  get lastSeq(): number {
    return this.#trimmed + this.length;
  }

  /** The events that follow number `seq`, oldest first. */
  after(seq: number, limit: number): readonly WaitingEvent[] {
    const from = this.#first + Math.max(0, seq - this.#trimmed);
    return this.#events.slice(from, from + Math.max(0, limit));
  }

  /** Forgets events up to `seq`, which the API has persisted; true when that forgot any. */
  trim(seq: number): boolean {
    const count = Math.min(seq - this.#trimmed, this.length);
    if (count <= 0) return false;
    for (let i = 0; i < count; i++) this.#bytes -= this.#events[this.#first + i]?.json.length ?? 0;
    this.#first += count;
    this.#trimmed += count;
    if (this.#first > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    if (this.#linesInFile - this.length >= Math.max(compactAfter, this.length)) {
      this.#file.rewrite();
      this.#linesInFile = this.length;
    }
    this.#file.catchUp();
    return true;
  }

  /** Forgets all but the last event of a stage that has ended, so that nobody waits for the others. */
  keepEndAlone(): void {
    if (this.isFinished) this.trim(this.lastSeq - 1);
  }

  close(): void {
    this.#file.close();
  }

  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }

  #admits(body: WorkerEventBody): boolean {
    const { soft, hard, maxBytes } = this.#limits;
    const isTelemetry = body.type === "step" || body.type === "metrics";
    if (!isTelemetry || (this.length < soft && this.#bytes < maxBytes / 2)) return true;
    return !isReplaceable(body) && this.length < hard && this.#bytes < maxBytes;
  }

  #write(body: WorkerEventBody): void {
    const seq = this.lastSeq + 1;
    const event: WorkerEvent = { contract: contractVersion, ...this.key, seq, at: new Date().toISOString(), body };
    const json = JSON.stringify(event);
    this.#events.push({ seq, type: body.type, json });
    this.#file.append(json);
    this.#linesInFile++;
    this.#bytes += json.length;
    this.#lastAppend = performance.now();
  }

  /** The header and what waits. */
  *#lines(): Generator<string> {
    yield JSON.stringify({ trimmed: this.#trimmed });
    for (const { json } of this.after(this.#trimmed, this.length)) yield json;
  }
}

/** A later event says what this one said, or more. */
function isReplaceable(body: WorkerEventBody): boolean {
  if (body.type !== "step") return false;
  const { event } = body;
  return (
    event.type === "progress" ||
    event.type === "member" ||
    (event.type === "log" && (event.level === "debug" || event.level === "info"))
  );
}

function readLine(json: string): WaitingEvent[] {
  try {
    const { seq, body } = JSON.parse(json) as WorkerEvent;
    return Number.isInteger(seq) && typeof body.type === "string" ? [{ seq, type: body.type, json }] : [];
  } catch {
    return [];
  }
}
