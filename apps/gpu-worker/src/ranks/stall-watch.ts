import { type Member, memberName } from "@hopwise/contracts";

/** What a member's watchdog thread writes twice a second: `advance` grows with its work. */
export interface Pulse {
  readonly advance: number;
  readonly isInCollective: boolean;
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
  /** When it last advanced, or was inside a collective */
  readonly advancedAt: number;
  readonly beatAt: number;
  /** How long it may be silent or stand still */
  readonly patienceMs: number;
}

/**
 * Tells which members stand still. Waiting inside a collective is no stall: whoever keeps the others waiting there
 * stands still outside of one. Times are those of a clock that does not count the host's sleep.
 */
export class StallWatch {
  readonly #stallMs: number;
  /** By name */
  readonly #seen = new Map<string, Seen>();

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
  }

  /** The member has nothing to advance yet; its next sign of life may take `patienceMs`. */
  expect(member: Member, now: number, patienceMs = this.#stallMs): void {
    this.#see({ member, advance: -1, advancedAt: now, beatAt: now, patienceMs });
  }

  /** A message from a member that is watched is a sign of life, and of work. */
  hear(member: Member, now: number): void {
    const seen = this.#seen.get(memberName(member));
    if (seen) this.#see({ ...seen, advancedAt: now, beatAt: now, patienceMs: this.#stallMs });
  }

  observe(member: Member, { advance, isInCollective }: Pulse, now: number): void {
    const seen = this.#seen.get(memberName(member));
    const hasAdvanced = !seen || advance !== seen.advance || isInCollective;
    const advancedAt = hasAdvanced ? now : seen.advancedAt;
    this.#see({ member, advance, advancedAt, beatAt: now, patienceMs: this.#stallMs });
  }

  forget(member: Member): void {
    this.#seen.delete(memberName(member));
  }

  /** The members that have stood still or been silent for longer than they may. */
  stalls(now: number): Stall[] {
    return [...this.#seen.values()].flatMap(({ member, advancedAt, beatAt, patienceMs }): Stall[] => {
      if (now - beatAt >= patienceMs) return [{ member, kind: "silent", ms: now - beatAt }];
      if (now - advancedAt >= patienceMs) return [{ member, kind: "still", ms: now - advancedAt }];
      return [];
    });
  }

  #see(seen: Seen): void {
    this.#seen.set(memberName(seen.member), seen);
  }
}

/** Reads the last complete line of the pulse pipe. */
export function parsePulse(text: string): Pulse | null {
  const found = /(\d+) ([01])\n[^\n]*$/.exec(text);
  return found ? { advance: Number(found[1]), isInCollective: found[2] === "1" } : null;
}
