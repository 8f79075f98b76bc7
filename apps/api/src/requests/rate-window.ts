import { AppError } from "@hopwise/contracts";

/** REQUEST_RATE_LIMITED, with the time after which another attempt can succeed. */
export class RateLimitError extends AppError {
  readonly retryAfterSeconds: number;

  constructor(detail: string, retryAfterSeconds: number) {
    super("REQUEST_RATE_LIMITED", detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const windowMs = 60_000;
/** More than this many at once come from made-up owners; the oldest are forgotten. */
const mostOwners = 50_000;

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

  /** @throws RateLimitError when this is one more than the owner may */
  count(owner: string): void {
    const now = performance.now();
    const current = this.#counts.get(owner);
    if (current && current.endsAt > now) {
      current.count++;
    } else {
      this.#counts.delete(owner); // its new window is the last to end
      this.#forgetPast(now);
      this.#counts.set(owner, { count: 1, endsAt: now + windowMs });
    }
    this.#requireWithin(owner, this.#most);
  }

  /** What was counted did not come to pass. */
  giveBack(owner: string): void {
    const current = this.#counts.get(owner);
    if (current && current.count > 0) current.count--;
  }

  /** @throws RateLimitError when the owner has none left */
  requireRoom(owner: string): void {
    this.#requireWithin(owner, this.#most - 1);
  }

  #requireWithin(owner: string, most: number): void {
    const now = performance.now();
    const current = this.#counts.get(owner);
    if (!current || current.count <= most || current.endsAt <= now) return;
    const seconds = Math.ceil((current.endsAt - now) / 1000);
    const detail = `More than ${this.#most} ${this.#what} in a minute; try again in ${seconds} seconds.`;
    throw new RateLimitError(detail, seconds);
  }

  /** They are in the order in which they end. */
  #forgetPast(now: number): void {
    for (const [owner, { endsAt }] of this.#counts) {
      if (endsAt > now && this.#counts.size < mostOwners) return;
      this.#counts.delete(owner);
    }
  }
}
