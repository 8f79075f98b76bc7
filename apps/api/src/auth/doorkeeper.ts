import { AppError } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { addressBlock } from "../requests/address-block.ts";
import { RateWindow } from "../requests/rate-window.ts";
import { authenticateCredential, type Credential } from "./authenticate.ts";
import { GatheredLookup } from "./gathered-lookup.ts";
import type { Viewer } from "./viewer.ts";

export interface DoorkeeperOptions {
  readonly prisma: PrismaClient;
  /** How many one key or session may have. */
  readonly requestsPerMinute: number;
  /** Unknown keys and sessions from one address. */
  readonly failuresPerMinute: number;
}

/**
 * Lets in who has a good key or session, each as often as it may. What an address sends that is no good counts against
 * that address alone, and never against the keys that others, or the same people, send from there: once an address has
 * failed too often, all that it sends is looked up together with what comes meanwhile, a query for many, and only what
 * is found goes on.
 */
export class Doorkeeper {
  readonly #prisma: PrismaClient;
  readonly #requests: RateWindow;
  readonly #failures: RateWindow;
  readonly #lookup: GatheredLookup;

  constructor({ prisma, requestsPerMinute, failuresPerMinute }: DoorkeeperOptions) {
    this.#prisma = prisma;
    this.#requests = new RateWindow("requests", requestsPerMinute);
    this.#failures = new RateWindow("keys or sessions that are not valid", failuresPerMinute);
    this.#lookup = new GatheredLookup(prisma);
  }

  /**
   * @param address  of whoever sent the credential
   * @throws AppError AUTH_INVALID; REQUEST_RATE_LIMITED for a good key that asks too often, or for a bad one from an
   * address that has sent too many
   */
  async admit(credential: Credential, address: string): Promise<Viewer> {
    this.#requests.requireRoom(credential.hash); // good keys only have a count: nothing is looked up for one that is over
    const viewer = await this.#identify(credential, addressBlock(address));
    this.#requests.count(credential.hash);
    return viewer;
  }

  async #identify(credential: Credential, block: string): Promise<Viewer> {
    try {
      this.#failures.requireRoom(block);
    } catch (tooMany) {
      if (await this.#lookup.isGood(credential)) return authenticateCredential(this.#prisma, credential);
      throw tooMany;
    }
    // Counted before it is known, else thousands at once would each be looked up on their own.
    this.#failures.count(block);
    try {
      const viewer = await authenticateCredential(this.#prisma, credential);
      this.#failures.giveBack(block);
      return viewer;
    } catch (error) {
      const isInvalid = error instanceof AppError && error.problem.code === "AUTH_INVALID";
      if (!isInvalid) this.#failures.giveBack(block);
      throw error;
    }
  }
}
