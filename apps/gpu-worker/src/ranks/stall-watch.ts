/** What a rank's watchdog thread writes twice a second: `advance` grows with its work. */
export interface Pulse {
  readonly advance: number;
  readonly isInCollective: boolean;
}

/** `still`: it beats but does not advance. `silent`: not even its watchdog runs, as after SIGSTOP. */
export interface Stall {
  readonly rank: number;
  readonly kind: "still" | "silent";
  readonly ms: number;
}

interface Seen {
  readonly advance: number;
  /** When it last advanced, or was inside a collective */
  readonly advancedAt: number;
  readonly beatAt: number;
  /** How long it may be silent or stand still */
  readonly patienceMs: number;
}

/**
 * Tells which ranks stand still. Waiting inside a collective is no stall: whoever keeps the others waiting there stands
 * still outside of one. Times are those of a clock that does not count the host's sleep.
 */
export class StallWatch {
  readonly #stallMs: number;
  readonly #ranks = new Map<number, Seen>();

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
  }

  /** The rank has nothing to advance yet; its next sign of life may take `patienceMs`. */
  expect(rank: number, now: number, patienceMs = this.#stallMs): void {
    this.#ranks.set(rank, { advance: -1, advancedAt: now, beatAt: now, patienceMs });
  }

  /** A message from a rank that is watched is a sign of life, and of work. */
  hear(rank: number, now: number): void {
    const seen = this.#ranks.get(rank);
    if (seen) this.#ranks.set(rank, { ...seen, advancedAt: now, beatAt: now, patienceMs: this.#stallMs });
  }

  observe(rank: number, { advance, isInCollective }: Pulse, now: number): void {
    const seen = this.#ranks.get(rank);
    const hasAdvanced = !seen || advance !== seen.advance || isInCollective;
    const advancedAt = hasAdvanced ? now : seen.advancedAt;
    this.#ranks.set(rank, { advance, advancedAt, beatAt: now, patienceMs: this.#stallMs });
  }

  forget(rank: number): void {
    this.#ranks.delete(rank);
  }

  /** The ranks that have stood still or been silent for longer than they may. */
  stalls(now: number): Stall[] {
    return [...this.#ranks].flatMap(([rank, { advancedAt, beatAt, patienceMs }]): Stall[] => {
      if (now - beatAt >= patienceMs) return [{ rank, kind: "silent", ms: now - beatAt }];
      if (now - advancedAt >= patienceMs) return [{ rank, kind: "still", ms: now - advancedAt }];
      return [];
    });
  }
}

/** Reads the last complete line of the pulse pipe. */
export function parsePulse(text: string): Pulse | null {
  const found = /(\d+) ([01])\n[^\n]*$/.exec(text);
  return found ? { advance: Number(found[1]), isInCollective: found[2] === "1" } : null;
}
