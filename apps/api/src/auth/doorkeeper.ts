import { AppError } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { addressBlock } from "../requests/address-block.ts";
import { RateWindow } from "../requests/rate-window.ts";
import { authenticateCredential, type Credential } from "./authenticate.ts";
import { GatheredLookup } from "./gathered-lookup.ts";
import { RecentViewers } from "./recent-viewers.ts";
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
  readonly #recent = new RecentViewers();

  constructor({ prisma, requestsPerMinute, failuresPerMinute }: DoorkeeperOptions) {
    this.#prisma = prisma;
    this.#requests = new RateWindow("requests", requestsPerMinute);
    this.#failures = new RateWindow("keys or sessions that are not valid", failuresPerMinute);
    this.#lookup = new GatheredLookup(prisma);
  }

  /**
   * @param address  of whoever sent the credential
   * @param asOf  `now`: looked up for this request; `recent`: a look of the last moment will do, as for what only reads
   * @throws AppError AUTH_INVALID; REQUEST_RATE_LIMITED for a good key that asks too often, or for a bad one from an
   * address that has sent too many
   */
  async admit(credential: Credential, address: string, asOf: "now" | "recent" = "now"): Promise<Viewer> {
    this.#requests.requireRoom(credential.hash); // good keys only have a count: nothing is looked up for one that is over
    const recent = asOf === "recent" ? await this.#recent.find(credential.hash) : null;
    const viewer = recent ?? (await this.#look(credential, addressBlock(address), asOf));
    this.#requests.count(credential.hash);
    return viewer;
  }

  /** To be called when a key or session was ended: this process refuses it from now on, others within a second. */
  forgetRecent(): void {
    this.#recent.forgetAll();
  }

  #look(credential: Credential, block: string, asOf: "now" | "recent"): Promise<Viewer> {
    const viewer = this.#identify(credential, block);
    return asOf === "recent" ? this.#recent.keep(credential.hash, viewer) : viewer;
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
