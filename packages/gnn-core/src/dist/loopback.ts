import { GnnError } from "../errors/gnn-error.ts";
import type { Collective } from "./collective.ts";

/** The collective of a single rank: sums of one, no waiting. */
export function loopback(): Collective {
  return loopbackGroup(1)[0]!;
}

/**
 * Ranks of one process, for tests and for trying things out: the same contract as between processes, sums added in
 * rank order.
 *
 * @param timeoutMs how long an operation waits for the other ranks
 */
export function loopbackGroup(worldSize: number, timeoutMs = 30_000): Collective[] {
  const group = new LoopbackGroup(worldSize, timeoutMs);
  return Array.from({ length: worldSize }, (_, rank) => new LoopbackRank(group, rank));
}

interface Entry {
  readonly op: "allReduceSum" | "barrier";
  readonly values: Float32Array;
  readonly resolve: () => void;
  readonly reject: (error: GnnError) => void;
}

/** One operation of the sequence: complete when every rank has entered it. */
class Round {
  readonly entries = new Map<number, Entry>();
  readonly timer: NodeJS.Timeout;

  constructor(onTimeout: () => void, timeoutMs: number) {
    this.timer = setTimeout(onTimeout, timeoutMs);
  }
}

class LoopbackGroup {
  readonly worldSize: number;
  readonly timeoutMs: number;
  readonly #rounds = new Map<number, Round>();
  #failure: GnnError | null = null;

  constructor(worldSize: number, timeoutMs: number) {
    this.worldSize = worldSize;
    this.timeoutMs = timeoutMs;
  }

  enter(sequence: number, rank: number, op: Entry["op"], values: Float32Array): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const round = this.#rounds.get(sequence) ?? this.#start(sequence, op);
      round.entries.set(rank, { op, values, resolve, reject });
      if (round.entries.size === this.worldSize) this.#finish(sequence, round);
    });
  }

  fail(error: GnnError): void {
    this.#failure ??= error;
    for (const [sequence, round] of this.#rounds) {
      clearTimeout(round.timer);
      this.#rounds.delete(sequence);
      for (const entry of round.entries.values()) entry.reject(this.#failure);
    }
  }

  #start(sequence: number, op: string): Round {
    const timedOut = () => {
      const missing = Array.from({ length: this.worldSize }, (_, rank) => rank).filter((r) => !round.entries.has(r));
      const message = `${op} ${sequence} waited ${this.timeoutMs} ms for rank ${missing.join(", ")}.`;
      this.fail(new GnnError("RANK_TIMEOUT", message));
    };
    const round: Round = new Round(timedOut, this.timeoutMs);
    this.#rounds.set(sequence, round);
    return round;
  }

  #finish(sequence: number, round: Round): void {
    clearTimeout(round.timer);
    const entries = [...round.entries.entries()].toSorted(([a], [b]) => a - b).map(([, entry]) => entry);
    const calls = new Set(entries.map(({ op, values }) => `${op} of ${values.length}`));
    if (calls.size > 1) {
      this.fail(
        new GnnError("RANK_MISMATCH", `Operation ${sequence} differs between ranks: ${[...calls].join(" and ")}.`),
      );
      return;
    }
    this.#rounds.delete(sequence);
    const [first, ...others] = entries;
    const sum = first!.values.slice();
    for (const { values } of others) for (let i = 0; i < sum.length; i++) sum[i]! += values[i]!;
    for (const entry of entries) {
      entry.values.set(sum);
      entry.resolve();
    }
  }
}

class LoopbackRank implements Collective {
  readonly rank: number;
  readonly #group: LoopbackGroup;
  #sequence = 0;
  #isClosed = false;

  constructor(group: LoopbackGroup, rank: number) {
    this.#group = group;
    this.rank = rank;
  }

  get worldSize(): number {
    return this.#group.worldSize;
  }

  get timeoutMs(): number {
    return this.#group.timeoutMs;
  }

  async allReduceSum(values: Float32Array): Promise<void> {
    await this.#enter("allReduceSum", values);
  }

  async barrier(): Promise<void> {
    await this.#enter("barrier", new Float32Array(0));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.worldSize > 1) this.#group.fail(new GnnError("RANK_LOST", `Rank ${this.rank} has closed its collective.`));
  }

  async #enter(op: Entry["op"], values: Float32Array): Promise<void> {
    if (this.#isClosed) throw new GnnError("RANK_LOST", `Rank ${this.rank}'s collective is closed.`);
    await this.#group.enter(this.#sequence++, this.rank, op, values);
  }
}
