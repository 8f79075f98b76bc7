import { explainWriteRefusal } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "./log.ts";

/** Before Redis has let this worker in even once: nobody is about to mend it. */
const startPatienceMs = 10_000;
/** A restarted Redis knows its users again as soon as the API has seen it. */
const patienceMs = 60_000;
const sayAgainMs = 20_000;

/** What to do about a refusal by Redis, which waiting does not mend; null for any other error. */
export function explainRefusal(error: unknown, user: string): string | null {
  const said = error instanceof Error ? error.message : "";
  const found = `Redis refuses the user "${user}" of REDIS_URL: ${said}.`;
  const [answer] = /^(WRONGPASS|NOAUTH|NOPERM)\b/.exec(said) ?? [];
  if (answer === "WRONGPASS")
    return `${found} Its credential was revoked or renewed, or Redis has restarted and no API runs that knows it. Make a new one on the dashboard's page of workers and put it into REDIS_URL.`;
  if (answer === "NOAUTH")
    return `${found} It asks for a password, and REDIS_URL has none: redis://<user>:<password>@<host>:6379, as the dashboard's page of workers gives it.`;
  if (answer === "NOPERM")
    return `${found} The API writes what a worker's user may do: run the same release of both, and no rules of your own.`;
  return null;
}

export interface RedisAccessOptions {
  readonly user: string;
  readonly log: Pick<Logger, "error" | "info">;
  /** Called once, when Redis has refused this worker for long. */
  readonly onRefused: (why: string) => void;
  /** Milliseconds of a clock that only goes on */
  readonly clock?: () => number;
}

/**
 * Tells when Redis refuses this worker, and gives up when that stays so. That Redis takes no writes is told too, and
 * waited for; that it is away is waited for elsewhere.
 */
export class RedisAccess {
  readonly #options: Required<RedisAccessOptions>;
  #refusedSince: number | null = null;
  #saidAt = Number.NEGATIVE_INFINITY;
  #wasGranted = false;
  #hasGivenUp = false;

  constructor(options: RedisAccessOptions) {
    this.#options = { clock: () => performance.now(), ...options };
  }

  watch(connection: Redis): void {
    connection.on("error", (error) => this.note(error));
  }

  /** A command or a connection has failed. */
  note(error: unknown): void {
    const { user, onRefused, clock } = this.#options;
    const full = explainWriteRefusal(error);
    if (full !== null) this.#say(full);
    const why = explainRefusal(error, user);
    if (why === null) return;
    const now = clock();
    this.#refusedSince ??= now;
    this.#say(why);
    if (this.#hasGivenUp || now - this.#refusedSince < (this.#wasGranted ? patienceMs : startPatienceMs)) return;
    this.#hasGivenUp = true;
    onRefused(why);
  }

  /** Redis has done what this worker asked for. */
  granted(): void {
    if (this.#refusedSince !== null) this.#options.log.info("Redis lets this worker in");
    else if (this.#saidAt > Number.NEGATIVE_INFINITY) this.#options.log.info("Redis takes writes again");
    this.#wasGranted = true;
    this.#refusedSince = null;
    this.#saidAt = Number.NEGATIVE_INFINITY;
  }

  #say(why: string): void {
    const now = this.#options.clock();
    if (now - this.#saidAt < sayAgainMs) return;
    this.#saidAt = now;
    this.#options.log.error(why);
  }
}
