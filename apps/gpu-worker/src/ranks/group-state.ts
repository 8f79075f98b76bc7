import { isLeadRank, type Member, memberName, memberTitle, type Problem, problemOf } from "@hopwise/contracts";
import { usableMemory } from "@hopwise/gnn-core/ranks";
import type { Manifest } from "@hopwise/gnn-core/spec";

/** How one member failed. */
export interface MemberFailure {
  readonly member: Member;
  readonly problem: Problem;
  /** Set when the process ended without saying why. */
  readonly died: { readonly signal: string | null; readonly code: number | null } | null;
}

export type GroupOutcome =
  /** `manifest`: of rank 0, so null where it runs on another host. */
  | { readonly type: "succeeded"; readonly manifest: Manifest | null }
  | { readonly type: "failed"; readonly cause: MemberFailure };

/** What the launcher does next: nothing, end the others at once, or end them after hearing them out. */
export type GroupAction = "wait" | "endNow" | "endSoon";

export interface GroupPlace {
  readonly host: string;
  readonly step: string;
}

/**
 * The life of a host's members of one group as pure state: who has finished, who failed, and which failure caused the
 * others. They have succeeded when each has given its result and has exited or is free for another group.
 */
export class GroupState {
  readonly #members: readonly Member[];
  readonly #place: GroupPlace;
  /** By name, as the next two */
  readonly #finished = new Set<string>();
  readonly #free = new Set<string>();
  readonly #exited = new Set<string>();
  readonly #failures: MemberFailure[] = [];
  #manifest: Manifest | null = null;
  #isEnding = false;

  constructor(members: readonly Member[], place: GroupPlace) {
    this.#members = members;
    this.#place = place;
  }

  /** @param isFree whether its process stays */
  finished(member: Member, manifest: Manifest | null, isFree: boolean): void {
    const name = memberName(member);
    this.#finished.add(name);
    if (isFree) this.#free.add(name);
    if (isLeadRank(member)) this.#manifest = manifest;
  }

  /**
   * A member said why it fails. Its peers' collectives fail too, so what looks like a consequence waits for its cause.
   */
  failed(member: Member, problem: Problem): GroupAction {
    this.#failures.push({ member, problem, died: null });
    return isConsequence(problem.code) ? "endSoon" : "endNow";
  }

  /** @param memoryRanOut  whether the kernel was ending processes for lack of memory */
  exited(member: Member, code: number | null, signal: string | null, memoryRanOut = false): GroupAction {
    const name = memberName(member);
    this.#exited.add(name);
    const hasFailed = this.#failures.some((failure) => memberName(failure.member) === name);
    if (this.#finished.has(name) || hasFailed) return "wait";
    // Killed by the launcher, as everyone is once the group is ending.
    if (this.#isEnding && (signal === "SIGTERM" || signal === "SIGKILL")) return "wait";
    const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    const why = signal === "SIGKILL" && memoryRanOut ? `, as memory ran out: ${memoryAdvice(usableMemory())}` : "";
    const who = `${memberTitle(member)} on ${this.#place.host}`;
    const detail = `${who} ${how} during ${this.#place.step}${why}; the step starts again from its last checkpoint.`;
    this.#failures.push({ member, problem: problemOf("RANK_LOST", detail), died: { signal, code } });
    return "endNow";
  }

  /** From now on deaths by SIGTERM and SIGKILL are the launcher's doing. */
  end(): void {
    this.#isEnding = true;
  }

  get isSettled(): boolean {
    const { length } = this.#members;
    if (this.#exited.size === length) return true;
    return !this.#isEnding && this.#failures.length === 0 && new Set([...this.#free, ...this.#exited]).size === length;
  }

  /** Whether it has given its result or exited. */
  hasEnded(member: Member): boolean {
    const name = memberName(member);
    return this.#finished.has(name) || this.#exited.has(name);
  }

  get outcome(): GroupOutcome {
    const cause = this.#failures.toSorted((a, b) => weight(a) - weight(b))[0];
    if (cause) return { type: "failed", cause };
    const isDone = this.#finished.size === this.#members.length;
    if (isDone && (this.#manifest || !this.#members.some(isLeadRank)))
      return { type: "succeeded", manifest: this.#manifest };
    const detail = isDone
      ? `Rank 0 of ${this.#place.step} returned no manifest; a step returns one from rank 0.`
      : `The ranks of ${this.#place.step} were stopped before they had finished.`;
    const problem = problemOf(isDone ? "COMPONENT_INVALID" : "RANK_LOST", detail);
    return { type: "failed", cause: { member: this.#members[0] as Member, problem, died: null } };
  }
}

function memoryAdvice(bytes: number): string {
  return `the worker may use ${(bytes / 1024 ** 3).toFixed(1)} GiB; give it more, or train with smaller batches or on more hosts`;
}

/** Deaths before errors, errors before what a lost peer makes of the others. */
function weight({ died, problem }: MemberFailure): number {
  if (died) return 0;
  return isConsequence(problem.code) ? 2 : 1;
}

/** Whether a member may fail like that only because another one has. */
export function isConsequence(code: string): boolean {
  return (code.startsWith("RANK_") && code !== "RANK_STALLED") || code === "CANCELLED";
}
