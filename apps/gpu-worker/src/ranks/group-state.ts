import { type Problem, problemOf } from "@hopwise/contracts";
import { usableMemory } from "@hopwise/gnn-core/ranks";
import type { Manifest } from "@hopwise/gnn-core/spec";
import { memberName } from "./member-name.ts";

/** How one rank failed. */
export interface RankFailure {
  readonly rank: number;
  readonly problem: Problem;
  /** Set when the process ended without saying why. */
  readonly died: { readonly signal: string | null; readonly code: number | null } | null;
}

export type GroupOutcome =
  /** `manifest`: of rank 0, so null where it runs on another host. */
  | { readonly type: "succeeded"; readonly manifest: Manifest | null }
  | { readonly type: "failed"; readonly cause: RankFailure };

/** What the launcher does next: nothing, end the others at once, or end them after hearing them out. */
export type GroupAction = "wait" | "endNow" | "endSoon";

export interface GroupPlace {
  readonly host: string;
  readonly step: string;
  /** Ranks of the whole group, on all hosts; its members from this number on are sampler processes. */
  readonly worldSize: number;
}

/**
 * The life of one group of ranks as pure state: who has finished, who failed, and which failure caused the others.
 * A group has succeeded when every rank has given its result and has exited or is free for another group.
 */
export class GroupState {
  readonly #firstRank: number;
  readonly #numRanks: number;
  readonly #place: GroupPlace;
  readonly #finished = new Set<number>();
  readonly #free = new Set<number>();
  readonly #exited = new Set<number>();
  readonly #failures: RankFailure[] = [];
  #manifest: Manifest | null = null;
  #isEnding = false;

  constructor({ firstRank, numRanks }: { firstRank: number; numRanks: number }, place: GroupPlace) {
    this.#firstRank = firstRank;
    this.#numRanks = numRanks;
    this.#place = place;
  }

  /** @param isFree whether its process stays */
  finished(rank: number, manifest: Manifest | null, isFree: boolean): void {
    this.#finished.add(rank);
    if (isFree) this.#free.add(rank);
    if (rank === 0) this.#manifest = manifest;
  }

  /**
   * A rank said why it fails. Its peers' collectives fail too, so what looks like a consequence waits for its cause.
   */
  failed(rank: number, problem: Problem): GroupAction {
    this.#failures.push({ rank, problem, died: null });
    return isConsequence(problem.code) ? "endSoon" : "endNow";
  }

  /** @param memoryRanOut  whether the kernel was ending processes for lack of memory */
  exited(rank: number, code: number | null, signal: string | null, memoryRanOut = false): GroupAction {
    this.#exited.add(rank);
    if (this.#finished.has(rank) || this.#failures.some((failure) => failure.rank === rank)) return "wait";
    // Killed by the launcher, as everyone is once the group is ending.
    if (this.#isEnding && (signal === "SIGTERM" || signal === "SIGKILL")) return "wait";
    const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    const why = signal === "SIGKILL" && memoryRanOut ? `, as memory ran out: ${memoryAdvice(usableMemory())}` : "";
    const who = `${memberName(rank, this.#place.worldSize)} on ${this.#place.host}`;
    const detail = `${who} ${how} during ${this.#place.step}${why}; the step starts again from its last checkpoint.`;
    this.#failures.push({ rank, problem: problemOf("RANK_LOST", detail), died: { signal, code } });
    return "endNow";
  }

  /** From now on deaths by SIGTERM and SIGKILL are the launcher's doing. */
  end(): void {
    this.#isEnding = true;
  }

  get isSettled(): boolean {
    if (this.#exited.size === this.#numRanks) return true;
    return (
      !this.#isEnding &&
      this.#failures.length === 0 &&
      new Set([...this.#free, ...this.#exited]).size === this.#numRanks
    );
  }

  /** Whether it has given its result or exited. */
  hasEnded(rank: number): boolean {
    return this.#finished.has(rank) || this.#exited.has(rank);
  }

  get outcome(): GroupOutcome {
    const cause = this.#failures.toSorted((a, b) => weight(a) - weight(b))[0];
    if (cause) return { type: "failed", cause };
    const isDone = this.#finished.size === this.#numRanks;
    if (isDone && (this.#manifest || this.#firstRank > 0)) return { type: "succeeded", manifest: this.#manifest };
    const detail = isDone
      ? `Rank 0 of ${this.#place.step} returned no manifest; a step returns one from rank 0.`
      : `The ranks of ${this.#place.step} were stopped before they had finished.`;
    const problem = problemOf(isDone ? "COMPONENT_INVALID" : "RANK_LOST", detail);
    return { type: "failed", cause: { rank: this.#firstRank, problem, died: null } };
  }
}

function memoryAdvice(bytes: number): string {
  return `the worker may use ${(bytes / 1024 ** 3).toFixed(1)} GiB; give it more, or train with smaller batches or on more hosts`;
}

/** Deaths before errors, errors before what a lost peer makes of the others. */
function weight({ died, problem }: RankFailure): number {
  if (died) return 0;
  return isConsequence(problem.code) ? 2 : 1;
}

/** Whether a rank may fail like that only because another one has. */
export function isConsequence(code: string): boolean {
  return (code.startsWith("RANK_") && code !== "RANK_STALLED") || code === "CANCELLED";
}
