import { AppError } from "@hopwise/contracts";

export interface FairSlotsOptions {
  /** How many requests of one owner run at once, and how many wait for that. */
  readonly perOwner: number;
  readonly waitingPerOwner: number;
  readonly inAll: number;
}

interface Waiter {
  readonly start: () => void;
}

/**
 * Lets a few costly requests run at once and the others wait, each owner behind its own: the next is of the owner who
 * has waited longest for a turn, not of the one who has sent the most.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #running = new Map<string, number>();
  /** In the order in which the owners have their turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #numRunning = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /**
   * Waits for a slot.
   *
   * @returns what gives it back
   * @throws AppError REQUEST_RATE_LIMITED when too many of this owner wait already; the signal's reason when it fires
   */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#isFree(owner) || this.#waiting.has(owner)) await this.#queue(owner, signal);
    else this.#begin(owner);
    let isHeld = true;
    return () => {
      if (isHeld) this.#end(owner);
      isHeld = false;
    };
  }

  #queue(owner: string, signal: AbortSignal): Promise<void> {
    const { waitingPerOwner, perOwner } = this.#options;
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= waitingPerOwner) {
      throw new AppError(
        "REQUEST_RATE_LIMITED",
        `${perOwner} requests of yours are at work and ${own.length} wait for that; wait for their answers first.`,
      );
    }
    this.#waiting.set(owner, own);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener("abort", leave);
          this.#begin(owner);
          resolve();
        },
      };
      const leave = () => {
        own.splice(own.indexOf(waiter), 1);
        if (own.length === 0) this.#waiting.delete(owner);
        reject(signal.reason);
      };
      own.push(waiter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #begin(owner: string): void {
    this.#numRunning++;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  #end(owner: string): void {
    this.#numRunning--;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left > 0) this.#running.set(owner, left);
    else this.#running.delete(owner);
    this.#startNext();
  }

  #startNext(): void {
    for (const [owner, own] of this.#waiting) {
      if (!this.#isFree(owner)) continue;
      const next = own.shift();
      this.#waiting.delete(owner);
      if (own.length > 0) this.#waiting.set(owner, own); // behind the other owners
      next?.start();
    }
  }

  #isFree(owner: string): boolean {
    const { perOwner, inAll } = this.#options;
    return this.#numRunning < inAll && (this.#running.get(owner) ?? 0) < perOwner;
  }
}
