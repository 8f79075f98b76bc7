import { type Problem, problemOf } from "@hopwise/contracts";
import type { StepEvent } from "@hopwise/gnn-core/spec";
import type { Logger } from "../log.ts";
import { type GroupAction, type GroupOutcome, type GroupPlace, GroupState } from "./group-state.ts";
import { memberName } from "./member-name.ts";
import { isAllocationFailure, outOfMemory } from "./memory-limit.ts";
import type { FromRank, StartMessage } from "./messages.ts";
import { OutOfMemoryWatch } from "./out-of-memory-watch.ts";
import type { RankPool } from "./rank-pool.ts";
import type { RankBirth, RankProcess } from "./rank-process.ts";
import type { Rendezvous } from "./rendezvous.ts";
import { type Pulse, type Stall, StallWatch } from "./stall-watch.ts";

export interface Incident {
  readonly code: Problem["code"];
  readonly message: string;
  readonly rank: number | null;
}

export interface LaunchOptions {
  /** The first and the number of the ranks on this host, sampler processes included: as members they come behind. */
  readonly firstRank: number;
  readonly numRanks: number;
  readonly rendezvous: Rendezvous;
  readonly pool: RankPool;
  /** How a process of this host is started; local ranks begin at 0 */
  readonly birthOf: (localRank: number) => RankBirth;
  readonly place: GroupPlace;
  /** What each may allocate; null: what there is */
  readonly memoryBytes: number | null;
  /** A rank is named that has not advanced for so long, and ended when not even its watchdog thread gave a sign. */
  readonly stallMs: number;
  /** A rank is ended that has not advanced for so long; null: never, as one native call may take any time. */
  readonly stillLimitMs: number | null;
  readonly log: Logger;
  readonly onEvent: (rank: number, event: StepEvent) => void;
  readonly onIncident: (incident: Incident) => void;
}

/** How long a group may take to stop by itself, and after SIGTERM. */
const politeMs = 3000;
const killMs = 2000;
/** How long a failure that looks like a consequence waits for its cause. */
const hearOutMs = 500;
/** How often the pulses are looked at. */
const lookMs = 500;
/** A new process may load its components for so long before its first sign of life. */
const loadMs = 60_000;

/**
 * The ranks of one stage on this host: all of them, or the slice that it was given. The group lives and dies together:
 * at the first failure the others are stopped, SIGTERM first, SIGKILL if that does not help.
 */
export class RankGroup {
  readonly #options: LaunchOptions;
  readonly #state: GroupState;
  readonly #ranks: Map<number, RankProcess>;
  readonly #watch: StallWatch;
  readonly #memory = new OutOfMemoryWatch();
  readonly #stalled = new Set<number>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** Resolves when every process has ended or, after a success, is free for another group. */
  readonly outcome: Promise<GroupOutcome>;
  #settle: (outcome: GroupOutcome) => void = () => undefined;
  #phase = "start";
  #hasStarted = false;

  /** Takes free processes or spawns them; they load their components and wait for `start`. */
  constructor(options: LaunchOptions) {
    this.#options = options;
    this.#state = new GroupState(options, options.place);
    this.#watch = new StallWatch(options.stallMs);
    this.#timers.push(
      setInterval(() => {
        this.#memory.look();
        this.#lookForStalls();
      }, lookMs),
    );
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const ranks = Array.from({ length: options.numRanks }, (_, i) => options.firstRank + i);
    this.#ranks = new Map(ranks.map((rank) => [rank, this.#take(rank)]));
  }

  get pids(): number[] {
    return [...this.#ranks.values()].map((rank) => rank.pid);
  }

  start(message: Omit<StartMessage, "rank" | "localRank">): void {
    this.#hasStarted = true;
    const { firstRank, stallMs } = this.#options;
    for (const [rank, process] of this.#ranks) {
      if (!process.hasBeaten) this.#watch.expect(rank, performance.now(), Math.max(loadMs, stallMs));
      process.send({ ...message, rank, localRank: rank - firstRank });
    }
  }

  /** Asks the ranks to stop, then makes them. */
  stop(): void {
    for (const rank of this.#ranks.values()) rank.send({ type: "abort" });
    this.#later(politeMs, () => this.#terminate());
  }

  #take(rank: number): RankProcess {
    const { pool, birthOf, firstRank, place } = this.#options;
    const { worldSize } = place;
    const log = this.#options.log.child(rank < worldSize ? { rank } : { sampler: rank - worldSize });
    const process = pool.take(birthOf(rank - firstRank), {
      log,
      onMessage: (message) => this.#onMessage(rank, message, log),
      onPulse: (pulse) => this.#onPulse(rank, pulse),
      onExit: (code, signal, lastWords) => this.#onExit(rank, code, signal, lastWords, log),
    });
    // One from the pool may be stopped before its next pulse; a new one is watched from its first, or from the start.
    if (process.hasBeaten) this.#watch.expect(rank, performance.now());
    return process;
  }

  #onMessage(rank: number, message: FromRank, log: Logger): void {
    this.#watch.hear(rank, performance.now());
    switch (message.type) {
      case "event":
        if (message.event.type === "progress") this.#phase = message.event.phase;
        this.#options.onEvent(rank, message.event);
        break;
      case "result":
        this.#watch.forget(rank);
        this.#state.finished(rank, message.manifest, message.isFree);
        this.#settleIfOver();
        break;
      case "failed":
        log.warn({ code: message.problem.code, trace: message.trace }, "rank failed");
        this.#act(this.#state.failed(rank, message.problem));
        break;
      case "tried":
        break; // asked for before the worker announces itself, never of a group
      case "store":
        void this.#answer(rank, message.id, this.#store(message.key, message.value));
        break;
      case "lookUp":
        void this.#answer(rank, message.id, this.#options.rendezvous.get(message.key));
        break;
    }
  }

  async #store(key: string, value: Uint8Array): Promise<null> {
    await this.#options.rendezvous.set(key, value);
    return null;
  }

  /** Without an answer the rank runs into its own time-out, and says so. */
  async #answer(rank: number, id: number, answer: Promise<Uint8Array | null>): Promise<void> {
    try {
      this.#ranks.get(rank)?.send({ type: "stored", id, value: await answer });
    } catch (err) {
      this.#options.log.warn({ err, rank }, "the rendezvous does not answer");
    }
  }

  #onPulse(rank: number, pulse: Pulse): void {
    if (this.#state.hasEnded(rank)) return;
    // Until it is started it waits for its inputs, however long they take to arrive.
    if (this.#hasStarted) this.#watch.observe(rank, pulse, performance.now());
    else this.#watch.expect(rank, performance.now());
  }

  /** Names who stands still, and ends the group for a rank that will not come back by itself. */
  #lookForStalls(): void {
    const stalls = this.#watch.stalls(performance.now());
    for (const rank of this.#stalled) {
      if (stalls.some((stall) => stall.rank === rank)) continue;
      this.#stalled.delete(rank);
      this.#tell("RANK_RESUMED", rank, "advances again");
    }
    for (const stall of stalls) {
      const { rank, kind, ms } = stall;
      const what = `${kind === "silent" ? "has given no sign of life" : "has not advanced"} for ${Math.floor(ms / 1000)} s`;
      if (!this.#stalled.has(rank)) this.#tell("RANK_STALLED", rank, what);
      this.#stalled.add(rank);
      if (!this.#isHopeless(stall)) continue;
      this.#stalled.delete(rank);
      this.#watch.forget(rank);
      this.#act(this.#state.failed(rank, problemOf("RANK_STALLED", this.#sentence(rank, what))));
    }
  }

  #isHopeless({ kind, ms }: Stall): boolean {
    return kind === "silent" || ms >= (this.#options.stillLimitMs ?? Number.POSITIVE_INFINITY);
  }

  #tell(code: "RANK_STALLED" | "RANK_RESUMED", rank: number, what: string): void {
    this.#options.onIncident({ code, message: this.#sentence(rank, what), rank: this.#rankOf(rank) });
  }

  /** Sampler processes are no ranks. */
  #rankOf(member: number): number | null {
    return member < this.#options.place.worldSize ? member : null;
  }

  #sentence(rank: number, what: string): string {
    const { host, step, worldSize } = this.#options.place;
    return `${memberName(rank, worldSize)} on ${host} ${what} in ${step} (${this.#phase}).`;
  }

  #onExit(rank: number, code: number | null, signal: string | null, lastWords: string, log: Logger): void {
    this.#watch.forget(rank);
    if (!this.#state.hasEnded(rank) && code !== 0 && isAllocationFailure(lastWords)) this.#starved(rank);
    const action = this.#state.exited(rank, code, signal, this.#memory.hasKilled);
    log.debug({ code, signal }, "rank ended");
    if (action === "endNow") {
      log.warn({ code, signal, lastWords }, "rank died");
      const { cause } = this.#state.outcome as Extract<GroupOutcome, { type: "failed" }>;
      this.#options.onIncident({ code: "RANK_LOST", message: cause.problem.detail, rank: this.#rankOf(rank) });
    }
    this.#act(action);
    this.#settleIfOver();
  }

  /** It could not even say so itself. */
  #starved(rank: number): void {
    const { memoryBytes, place } = this.#options;
    const who = `${memberName(rank, place.worldSize)} on ${place.host}`;
    this.#act(this.#state.failed(rank, outOfMemory(who, place.step, memoryBytes)));
  }

  #settleIfOver(): void {
    if (!this.#state.isSettled) return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.rendezvous.close();
    for (const process of this.#ranks.values()) this.#options.pool.giveBack(process);
    this.#ranks.clear(); // from here on they may be another group's
    this.#settle(this.#state.outcome);
  }

  #act(action: GroupAction): void {
    if (action === "endNow") this.#terminate();
    if (action === "endSoon") this.#later(hearOutMs, () => this.#terminate());
  }

  #terminate(): void {
    this.#state.end();
    for (const rank of this.#ranks.values()) rank.kill("SIGTERM");
    this.#later(killMs, () => {
      for (const rank of this.#ranks.values()) rank.kill("SIGKILL");
    });
  }

  #later(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }
}
