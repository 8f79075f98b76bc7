import { type Member, memberName } from "@hopwise/contracts";

/** What a member's watchdog thread writes twice a second: `advance` grows with its work. */
export interface Pulse {
  readonly advance: number;
  readonly isInCollective: boolean;
  /** Processor time of the whole process so far */
  readonly cpuMs: number;
}

/** `still`: it beats but does not advance. `silent`: not even its watchdog runs, as after SIGSTOP. */
export interface Stall {
  readonly member: Member;
  readonly kind: "still" | "silent";
  readonly ms: number;
}

interface Seen {
  readonly member: Member;
  readonly advance: number;
  readonly cpuMs: number;
  /** When it last advanced, or was inside a collective */
  readonly advancedAt: number;
  readonly beatAt: number;
  /** How long it may be silent */
  readonly silentMs: number;
  /** How long it may stand still */
  readonly stillMs: number;
}

export interface StallPatience {
  readonly stallMs: number;
  /**
   * What a member that does not advance may be doing: `nothing`, or `computing`, in one call for as long as it takes,
   * as a step on one rank does that cuts a graph or projects embeddings. Who computes then stands not still.
   */
  readonly between: "nothing" | "computing";
}

/** Before the first pulse */
const unknown = -1;

/** Who spends so much of the time between two pulses on a processor computes; who waits spends a hundredth. */
const computingShare = 0.1;

/**
 * Tells which members stand still. Waiting inside a collective is no stall: whoever keeps the others waiting there
 * stands still outside of one. Times are those of a clock that does not count the host's sleep.
 */
export class StallWatch {
  readonly #patience: StallPatience;
  /** By name */
  readonly #seen = new Map<string, Seen>();

  constructor(patience: StallPatience) {
    this.#patience = patience;
  }

  /**
   * The member has nothing to advance yet. Its first pulse may take `silentMs`, and its first work, for which it loads
   * components and inputs, `stillMs`.
   */
  expect(member: Member, now: number, patience: { silentMs?: number; stillMs?: number } = {}): void {
    const { stallMs } = this.#patience;
    const { silentMs = stallMs, stillMs = stallMs } = patience;
    this.#see({ member, advance: unknown, cpuMs: 0, advancedAt: now, beatAt: now, silentMs, stillMs });
  }

  /** A message from a member that is watched is a sign of life, and of work. */
  hear(member: Member, now: number): void {
    const seen = this.#seen.get(memberName(member));
    const { stallMs } = this.#patience;
    if (seen) this.#see({ ...seen, advancedAt: now, beatAt: now, silentMs: stallMs, stillMs: stallMs });
  }

  /** A pulse ends the patience with silence; only work ends that with a member which loads. */
  observe(member: Member, pulse: Pulse, now: number): void {
    const { stallMs } = this.#patience;
    const seen = this.#seen.get(memberName(member));
    const isFirst = !seen || seen.advance === unknown;
    const hasWorked = !isFirst && pulse.advance !== seen.advance;
    const isBusy = isFirst || hasWorked || pulse.isInCollective || this.#computes(seen, pulse, now);
    this.#see({
      member,
      advance: pulse.advance,
      cpuMs: pulse.cpuMs,
      advancedAt: isBusy ? now : seen.advancedAt,
      beatAt: now,
      silentMs: stallMs,
      stillMs: hasWorked ? stallMs : (seen?.stillMs ?? stallMs),
    });
  }

  forget(member: Member): void {
    this.#seen.delete(memberName(member));
  }

  /** The members that have stood still or been silent for longer than they may. */
  stalls(now: number): Stall[] {
    return [...this.#seen.values()].flatMap(({ member, advancedAt, beatAt, silentMs, stillMs }): Stall[] => {
      if (now - beatAt >= silentMs) return [{ member, kind: "silent", ms: now - beatAt }];
      if (now - advancedAt >= stillMs) return [{ member, kind: "still", ms: now - advancedAt }];
      return [];
    });
  }

  #computes(seen: Seen, { cpuMs }: Pulse, now: number): boolean {
    if (this.#patience.between === "nothing") return false;
    return cpuMs - seen.cpuMs >= computingShare * (now - seen.beatAt) && cpuMs > seen.cpuMs;
  }

  #see(seen: Seen): void {
    this.#seen.set(memberName(seen.member), seen);
  }
}

/** Reads the last complete line of the pulse pipe. */
export function parsePulse(text: string): Pulse | null {
  const found = /(\d+) ([01]) (\d+)\n[^\n]*$/.exec(text);
  return found ? { advance: Number(found[1]), isInCollective: found[2] === "1", cpuMs: Number(found[3]) } : null;
}
