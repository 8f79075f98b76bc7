import type { Holdings } from "../job-state/save-held-time.ts";

/** What a project may hold; null = no limit. */
export interface ShareLimits {
  readonly name: string;
  readonly slots: number | null;
  readonly devices: number | null;
}

/** What a stage would hold, and the most that a stage of its job still to run would. */
export interface Wanted extends Holdings {
  readonly mostSlots: number;
  readonly mostDevices: number;
}

/**
 * What a project may still be given in one round of the scheduler. Jobs come in the order of the queue: what one of
 * them waits for is kept for it, so that smaller ones behind it cannot take it forever.
 */
export class ProjectShare {
  readonly #limits: ShareLimits;
  readonly #held: { slots: number; devices: number };
  readonly #kept = { slots: 0, devices: 0 };
  /** Why no job of it may begin; null: they may. What has begun goes on. */
  readonly hoursUsed: string | null;

  constructor(limits: ShareLimits, held: Holdings, hoursUsed: string | null = null) {
    this.#limits = limits;
    this.#held = { ...held };
    this.hoursUsed = hoursUsed;
  }

  /** Most devices that it may ever hold. */
  get mostDevices(): number {
    return this.#limits.devices ?? Number.POSITIVE_INFINITY;
  }

  /** Why a stage has to wait for other jobs of its project; null: nothing of the project is in its way. */
  objection(wanted: Wanted): string | null {
    return (
      this.#objectionTo("slots", wanted.slots, wanted.mostSlots) ??
      this.#objectionTo("devices", wanted.devices, wanted.mostDevices)
    );
  }

  #objectionTo(what: "slots" | "devices", wanted: number, most: number): string | null {
    const { [what]: limit, name } = this.#limits;
    if (limit === null) return null;
    if (most > limit)
      return `The job needs ${most} ${what} at once, and its project "${name}" may hold ${limit}; it begins when an admin sets a higher limit.`;
    const held = this.#held[what];
    if (wanted === 0 || held + this.#kept[what] + wanted <= limit) return null;
    const found = `The project "${name}" may hold ${limit} ${what} at once and holds ${held}`;
    return held + wanted > limit
      ? `${found}; this stage needs ${wanted}. Waiting for other jobs of the project to end.`
      : `${found}; the rest is kept for a job of the project that goes before this one.`;
  }

  /** A stage of it was granted these. */
  take({ slots, devices }: Holdings): void {
    this.#held.slots += slots;
    this.#held.devices += devices;
  }

  /** A job of it that could begin but for what others hold waits for these: those behind it leave them to it. */
  keep({ slots, devices }: Holdings): void {
    this.#kept.slots += slots;
    this.#kept.devices += devices;
  }

  /** What of it decides whether asking again can help. */
  get signature(): unknown {
    return [this.#limits, this.#held, this.#kept, this.hoursUsed !== null];
  }
}
