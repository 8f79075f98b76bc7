import { type Member, memberName, memberTitle, type Problem, problemOf } from "@hopwise/contracts";
import type { Logger } from "../log.ts";
import { type GroupAction, type GroupOutcome, type GroupPlace, GroupState } from "./group-state.ts";
import { isAllocationFailure, outOfMemory } from "./memory-limit.ts";
import type { FromRank, MemberEvent, StartMessage } from "./messages.ts";
import { OutOfMemoryWatch } from "./out-of-memory-watch.ts";
import type { RankPool } from "./rank-pool.ts";
import type { RankBirth, RankProcess } from "./rank-process.ts";
import type { Rendezvous } from "./rendezvous.ts";
import { type Pulse, type Stall, type StallPatience, StallWatch } from "./stall-watch.ts";

export interface Incident {
  readonly code: Problem["code"];
  readonly message: string;
  readonly member: Member;
}

export interface LaunchOptions {
  /** Those on this host, its ranks first */
  readonly members: readonly Member[];
  readonly rendezvous: Rendezvous;
  readonly pool: RankPool;
  /** How the process of a member is started, by its place among those of this host */
  readonly birthOf: (localRank: number) => RankBirth;
  readonly place: GroupPlace;
  /** What each may allocate; null: what there is */
  readonly memoryBytes: number | null;
  /** A rank is named that has not advanced for so long, and ended when not even its watchdog thread gave a sign. */
  readonly stallMs: number;
  /** Whether the step may compute in one call for long, without a word */
  readonly between: StallPatience["between"];
  /** A rank is ended that has not advanced for so long; null: never, as one native call may take any time. */
  readonly stillLimitMs: number | null;
  readonly log: Logger;
  readonly onEvent: (member: Member, event: MemberEvent) => void;
  readonly onIncident: (incident: Incident) => void;
}

/** How long a group may take to stop by itself, and after SIGTERM. */
const politeMs = 3000;
const killMs = 2000;
/** How long a failure that looks like a consequence waits for its cause. */
const hearOutMs = 500;
/** How often the pulses are looked at. */
const lookMs = 500;
/** A process may load its components and inputs for so long before its first sign of work. */
const loadMs = 60_000;

interface Running {
  readonly member: Member;
  readonly localRank: number;
  readonly process: RankProcess;
}

/**
 * The members of one stage on this host: all of them, or the slice that it was given. They live and die together: at
 * the first failure the others are stopped, SIGTERM first, SIGKILL if that does not help.
 */
export class RankGroup {
  readonly #options: LaunchOptions;
  readonly #state: GroupState;
  /** By name */
  readonly #running: Map<string, Running>;
  readonly #watch: StallWatch;
  readonly #memory = new OutOfMemoryWatch();
  readonly #stalled = new Map<string, Member>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** Resolves when every process has ended or, after a success, is free for another group. */
  readonly outcome: Promise<GroupOutcome>;
  #settle: (outcome: GroupOutcome) => void = () => undefined;
  #phase = "start";
  #hasStarted = false;
  #endsTraining = false;

  /** Takes free processes or spawns them; they load their components and wait for `start`. */
  constructor(options: LaunchOptions) {
    this.#options = options;
    this.#state = new GroupState(options.members, options.place);
    this.#watch = new StallWatch(options);
    this.#timers.push(
      setInterval(() => {
        this.#memory.look();
        this.#lookForStalls();
      }, lookMs),
    );
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#running = new Map(
      options.members.map((member, localRank) => {
        const process = this.#take(member, localRank);
        return [memberName(member), { member, localRank, process }];
      }),
    );
  }

  get pids(): number[] {
    return [...this.#running.values()].map(({ process }) => process.pid);
  }

  start(message: Omit<StartMessage, "member" | "localRank">): void {
    this.#hasStarted = true;
    const { stallMs } = this.#options;
    const stillMs = Math.max(loadMs, stallMs);
    for (const { member, localRank, process } of this.#running.values()) {
      const silentMs = process.hasBeaten ? stallMs : stillMs;
      this.#watch.expect(member, performance.now(), { silentMs, stillMs });
      process.send({ ...message, member, localRank });
    }
    if (this.#endsTraining) this.endTraining();
  }

  /** Tells the ranks to end a training where it is; before the start it is remembered. */
  endTraining(): void {
    this.#endsTraining = true;
    if (!this.#hasStarted) return;
    for (const { process } of this.#running.values()) process.send({ type: "endTraining" });
  }

  /** Asks the members to stop, then makes them. */
  stop(): void {
    for (const { process } of this.#running.values()) process.send({ type: "abort" });
    this.#later(politeMs, () => this.#terminate());
  }

  #take(member: Member, localRank: number): RankProcess {
    const { pool, birthOf } = this.#options;
    const log = this.#options.log.child({ [member.kind]: member.index });
    const process = pool.take(birthOf(localRank), {
      log,
      onMessage: (message) => this.#onMessage(member, message, log),
      onPulse: (pulse) => this.#onPulse(member, pulse),
      onExit: (code, signal, lastWords) => this.#onExit(member, code, signal, lastWords, log),
    });
    // One from the pool may be stopped before its next pulse; a new one is watched from its first, or from the start.
    if (process.hasBeaten) this.#watch.expect(member, performance.now());
    return process;
  }

  #onMessage(member: Member, message: FromRank, log: Logger): void {
    this.#watch.hear(member, performance.now());
    switch (message.type) {
      case "event":
        if (message.event.type === "progress") this.#phase = message.event.phase;
        this.#options.onEvent(member, message.event);
        break;
      case "result":
        this.#watch.forget(member);
        this.#state.finished(member, message.manifest, message.isFree);
        this.#settleIfOver();
        break;
      case "failed":
        log.warn({ code: message.problem.code, trace: message.trace }, "rank failed");
        this.#act(this.#state.failed(member, message.problem));
        break;
      case "tried":
        break; // asked for before the worker announces itself, never of a group
      case "store":
        void this.#answer(member, message.id, this.#store(message.key, message.value));
        break;
      case "lookUp":
        void this.#answer(member, message.id, this.#options.rendezvous.get(message.key));
        break;
    }
  }

  async #store(key: string, value: Uint8Array): Promise<null> {
    await this.#options.rendezvous.set(key, value);
    return null;
  }

  /** Without an answer the member runs into its own time-out, and says so. */
  async #answer(member: Member, id: number, answer: Promise<Uint8Array | null>): Promise<void> {
    try {
      const value = await answer;
      this.#running.get(memberName(member))?.process.send({ type: "stored", id, value });
    } catch (err) {
      this.#options.log.warn({ err, [member.kind]: member.index }, "the rendezvous does not answer");
    }
  }

  #onPulse(member: Member, pulse: Pulse): void {
    if (this.#state.hasEnded(member)) return;
    // Until it is started it waits for its inputs, however long they take to arrive.
    if (this.#hasStarted) this.#watch.observe(member, pulse, performance.now());
    else this.#watch.expect(member, performance.now());
  }

  /** Names who stands still, and ends the group for a member that will not come back by itself. */
  #lookForStalls(): void {
    const stalls = this.#watch.stalls(performance.now());
    for (const [name, member] of this.#stalled) {
      if (stalls.some((stall) => memberName(stall.member) === name)) continue;
      this.#stalled.delete(name);
      this.#tell("RANK_RESUMED", member, "advances again");
    }
    for (const stall of stalls) {
      const { member, kind, ms } = stall;
      const name = memberName(member);
      const what = `${kind === "silent" ? "has given no sign of life" : "has not advanced"} for ${Math.floor(ms / 1000)} s`;
      if (!this.#stalled.has(name)) this.#tell("RANK_STALLED", member, what);
      this.#stalled.set(name, member);
      if (!this.#isHopeless(stall)) continue;
      this.#stalled.delete(name);
      this.#watch.forget(member);
      this.#act(this.#state.failed(member, problemOf("RANK_STALLED", this.#sentence(member, what))));
    }
  }

  #isHopeless({ kind, ms }: Stall): boolean {
    return kind === "silent" || ms >= (this.#options.stillLimitMs ?? Number.POSITIVE_INFINITY);
  }

  #tell(code: "RANK_STALLED" | "RANK_RESUMED", member: Member, what: string): void {
    this.#options.onIncident({ code, message: this.#sentence(member, what), member });
  }

  #sentence(member: Member, what: string): string {
    const { host, step } = this.#options.place;
    return `${memberTitle(member)} on ${host} ${what} in ${step} (${this.#phase}).`;
  }

  #onExit(member: Member, code: number | null, signal: string | null, lastWords: string, log: Logger): void {
    this.#watch.forget(member);
    if (!this.#state.hasEnded(member) && code !== 0 && isAllocationFailure(lastWords)) this.#starved(member);
    const action = this.#state.exited(member, code, signal, this.#memory.hasKilled);
    log.debug({ code, signal }, "rank ended");
    if (action === "endNow") {
      log.warn({ code, signal, lastWords }, "rank died");
      const { cause } = this.#state.outcome as Extract<GroupOutcome, { type: "failed" }>;
      this.#options.onIncident({ code: "RANK_LOST", message: cause.problem.detail, member });
    }
    this.#act(action);
    this.#settleIfOver();
  }

  /** It could not even say so itself. */
  #starved(member: Member): void {
    const { memoryBytes, place } = this.#options;
    const who = `${memberTitle(member)} on ${place.host}`;
    this.#act(this.#state.failed(member, outOfMemory(who, place.step, memoryBytes)));
  }

  #settleIfOver(): void {
    if (!this.#state.isSettled) return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.rendezvous.close();
    for (const { process } of this.#running.values()) this.#options.pool.giveBack(process);
    this.#running.clear(); // from here on they may be another group's
    this.#settle(this.#state.outcome);
  }

  #act(action: GroupAction): void {
    if (action === "endNow") this.#terminate();
    if (action === "endSoon") this.#later(hearOutMs, () => this.#terminate());
  }

  #terminate(): void {
    this.#state.end();
    for (const { process } of this.#running.values()) process.kill("SIGTERM");
    this.#later(killMs, () => {
      for (const { process } of this.#running.values()) process.kill("SIGKILL");
    });
  }

  #later(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }
}
