import { AppError } from "@hopwise/contracts";

/** How many of something each owner may have at once. */
export class Quota {
  readonly #most: number;
  readonly #what: string;
  readonly #taken = new Map<string, number>();

  /** @param what in the plural, with the variable that sets the limit where there is one */
  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  /**
   * @returns what gives it back
   * @throws AppError REQUEST_RATE_LIMITED when the owner has as many as it may
   */
  take(owner: string): () => void {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.#most) {
      throw new AppError("REQUEST_RATE_LIMITED", `There are ${taken} ${this.#what} already; close one of them first.`);
    }
    this.#taken.set(owner, taken + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#taken.get(owner) ?? 1) - 1;
      if (left > 0) this.#taken.set(owner, left);
      else this.#taken.delete(owner);
    };
  }
}
