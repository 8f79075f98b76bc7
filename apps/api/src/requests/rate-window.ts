import { AppError } from "@hopwise/contracts";

/** Counts what each owner does in a minute that begins with its first. */
export class RateWindow {
  readonly #most: number;
  readonly #what: string;
  readonly #counts = new Map<string, { count: number; readonly endsAt: number }>();

  /** @param what in the plural */
  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  /** @throws AppError REQUEST_RATE_LIMITED */
  count(owner: string): void {
    const now = performance.now();
    const current = this.#counts.get(owner);
    if (!current || current.endsAt <= now) {
      this.#forgetPast(now);
      this.#counts.set(owner, { count: 1, endsAt: now + 60_000 });
      return;
    }
    if (++current.count <= this.#most) return;
    const seconds = Math.ceil((current.endsAt - now) / 1000);
    throw new AppError(
      "REQUEST_RATE_LIMITED",
      `More than ${this.#most} ${this.#what} in a minute; try again in ${seconds} seconds.`,
    );
  }

  #forgetPast(now: number): void {
    for (const [owner, { endsAt }] of this.#counts) {
      if (endsAt > now) return; // they end in the order in which they began
      this.#counts.delete(owner);
    }
  }
}
