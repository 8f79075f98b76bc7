import { problemFrom } from "@hopwise/contracts";
import type { Logger } from "../logger.ts";
import { LeadershipLost } from "./leadership.ts";

/**
 * Acts on what a round looks after, one after the other. One that fails waits for the next round and holds up none
 * behind it. What concerns all of them ends the round: another process leads, or the database or Redis does not answer.
 */
export class OneByOne {
  readonly #log: Pick<Logger, "error">;
  readonly #idName: string;
  /** What each failed with when it was last logged: a round comes every half second. */
  readonly #failures = new Map<string, string>();

  /** @param idName  what the log calls the id of one, like `jobId` */
  constructor(log: Pick<Logger, "error">, idName: string) {
    this.#log = log;
    this.#idName = idName;
  }

  /**
   * @param act  resolves with whether it changed anything
   * @returns whether any has, or may have before it failed
   * @throws LeadershipLost, or the error of a connection that is lost
   */
  async act<One extends { readonly id: string }>(
    all: readonly One[],
    act: (one: One) => Promise<boolean>,
  ): Promise<boolean> {
    let hasChanged = false;
    for (const one of all) {
      try {
        hasChanged = (await act(one)) || hasChanged;
        this.#failures.delete(one.id);
      } catch (error) {
        if (error instanceof LeadershipLost || problemFrom(error).code === "UPSTREAM_UNAVAILABLE") throw error;
        hasChanged = true;
        this.#report(one.id, error);
      }
    }
    const known = new Set(all.map(({ id }) => id));
    for (const id of this.#failures.keys()) if (!known.has(id)) this.#failures.delete(id);
    return hasChanged;
  }

  /** Whether it could not be acted on when that was last tried. */
  hasFailed(id: string): boolean {
    return this.#failures.has(id);
  }

  #report(id: string, err: unknown): void {
    const failure = String(err);
    if (this.#failures.get(id) === failure) return;
    this.#failures.set(id, failure);
    this.#log.error({ err, [this.#idName]: id }, "one cannot be moved on; the others are");
  }
}
