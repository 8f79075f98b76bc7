import { createHash } from "node:crypto";
import type { RankContext } from "../dist/rank-context.ts";
import { soloRank } from "../dist/solo-rank.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscPart, DrawnLists, ListDraw } from "../graph/csc-graph.ts";
import type { RowArray, RowDtype, RowSchema } from "../partition/row-schema.ts";
import { inProcessRowServices } from "./in-process-rows.ts";
import type { RowCallOptions, RowCounters, RowService } from "./row-service.ts";

// A digest travels as 16 whole numbers below 2^16: exact in float32, which is what collectives sum.
const digestWords = 16;

/**
 * The mutable rows of a job, on every rank: tables that all ranks create under the same names, and the steps between
 * their versions. Standalone and on several ranks the same calls do the same.
 *
 *   read     `get` answers rows of step t − 1
 *   write    `set`, `add` and gradients go to the owners, who keep them
 *   publish  every rank calls it at the end of step t: owners apply the writes in rank order between two barriers
 */
export class DistStore {
  readonly rank: RankContext;
  readonly #rows: RowService;
  readonly #hosted = new Map<string, { readonly digest: string; readonly owner: unknown }>();
  readonly #applied = new Map<string, () => void>();
  readonly #pending = new Set<Promise<unknown>>();
  #publishing: Promise<void> = Promise.resolve();

  /** @param rows connected with the same ranks as `rank.collective` */
  constructor(rank: RankContext, rows: RowService) {
    if (rows.rank !== rank.rank || rows.worldSize !== rank.worldSize) {
      throw new GnnError(
        "SPEC_INVALID",
        `The row service is that of rank ${rows.rank} of ${rows.worldSize}; expected rank ${rank.rank} of ${rank.worldSize}.`,
      );
    }
    this.rank = rank;
    this.#rows = rows;
  }

  /** All rows in this process. */
  static standalone(rank: RankContext = soloRank()): DistStore {
    return new DistStore(rank, inProcessRowServices(1)[0] as RowService);
  }

  /**
   * A store of the same ranks and service whose steps are its own: a `publish` of the one waits for no call of the
   * other, such as for rows that are read ahead. Its rows need names of their own.
   */
  beside(): DistStore {
    return new DistStore(this.rank, this.#rows);
  }

  /**
   * Creates rows on every rank, or returns what was created under the name before. Every rank calls it alike.
   *
   * @param make hosts this rank's range and returns the object that stands for the rows
   * @throws GnnError RANK_MISMATCH when the ranks ask for different things, SPEC_INVALID when the name stands for
   * something else
   */
  async createOrReuse<T>(name: string, what: string, make: () => T): Promise<T> {
    const digest = createHash("sha256").update(`${name}\n${what}`).digest("hex");
    const known = this.#hosted.get(name);
    await this.#agree(name, known ? `${digest} again` : digest, digest);
    if (!known) {
      const owner = make();
      this.#hosted.set(name, { digest, owner });
      // Nobody asks for the rows before every rank has them.
      await this.rank.collective.barrier();
      return owner;
    }
    if (known.digest === digest) return known.owner as T;
    throw new GnnError("SPEC_INVALID", `"${name}" exists with another shape, type or initialiser than ${what}.`);
  }

  /** Offers this rank's rows of a table and what `publish` does with its writes; for the makers of `createOrReuse`. */
  host<D extends RowDtype>(name: string, schema: RowSchema<D>, values: RowArray<D> | null, apply?: () => void): void {
    this.#rows.host(name, schema, values);
    if (!schema.readOnly) this.#applied.set(name, apply ?? (() => this.#rows.applyWrites(name)));
  }

  /** As RowService.get; waits for a `publish` that is under way. */
  async get<D extends RowDtype>(name: string, ids: Int32Array, options?: RowCallOptions): Promise<RowArray<D>> {
    await this.#publishing;
    return this.#tracked(this.#rows.get<D>(name, ids, options));
  }

  async set(name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void> {
    await this.#publishing;
    return this.#tracked(this.#rows.set(name, ids, rows, options));
  }

  async add(name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void> {
    await this.#publishing;
    return this.#tracked(this.#rows.add(name, ids, rows, options));
  }

  /** Offers this rank's lists of a table; for the makers of `createOrReuse`. */
  hostLists(name: string, offsets: readonly number[], parts: readonly CscPart[]): void {
    this.#rows.hostLists(name, offsets, parts);
  }

  /** As RowService.draw. Lists are never written, so it waits for no `publish`. */
  draw(name: string, ids: Int32Array, draw: ListDraw, options?: RowCallOptions): Promise<DrawnLists> {
    return this.#tracked(this.#rows.draw(name, ids, draw, options));
  }

  /** Gradients and the like that came for this rank's rows; for what `publish` does. */
  takeSums(name: string): { readonly ids: Int32Array; readonly rows: Float32Array } {
    return this.#rows.takeSums(name);
  }

  /**
   * Ends a step: what was written in it can be read afterwards. Every rank calls it, after its calls of the step.
   * Tables are updated in the order of their creation.
   *
   * @throws GnnError RANK_LOST, RANK_TIMEOUT when a rank does not come
   */
  publish(): Promise<void> {
    const published = this.#publishing.then(() => this.#publish());
    // Reads wait for it whether or not it succeeds; its caller hears why it failed.
    this.#publishing = published.catch(() => undefined);
    return published;
  }

  counters(): RowCounters {
    return this.#rows.counters();
  }

  /** Every rank calls it: none leaves while another may still read its rows. */
  async close(): Promise<void> {
    await this.rank.collective.barrier();
    await this.#rows.close();
  }

  async #publish(): Promise<void> {
    await Promise.allSettled(this.#pending);
    await this.rank.collective.barrier();
    for (const apply of this.#applied.values()) apply();
    await this.rank.collective.barrier();
  }

  #tracked<T>(call: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = call.finally(() => this.#pending.delete(settled));
    // The caller hears of failures; this copy is only waited for.
    settled.catch(() => undefined);
    this.#pending.add(settled);
    return call;
  }

  /** All ranks hold the same digest and know, or do not know, the name. @throws GnnError RANK_MISMATCH */
  async #agree(name: string, facts: string, what: string): Promise<void> {
    const { collective, rank, worldSize } = this.rank;
    if (worldSize === 1) return;
    const bytes = createHash("sha256").update(facts).digest();
    const slots = new Float32Array(worldSize * digestWords);
    for (let i = 0; i < digestWords; i++) slots[rank * digestWords + i] = bytes.readUInt16LE(2 * i);
    await collective.allReduceSum(slots);
    for (let other = 0; other < worldSize; other++) {
      const isSame = [...Array(digestWords).keys()].every(
        (i) => slots[other * digestWords + i] === slots[rank * digestWords + i],
      );
      if (isSame) continue;
      throw new GnnError(
        "RANK_MISMATCH",
        `Rank ${rank} creates "${name}" (${what.slice(0, 12)}), rank ${other} something else; every rank must create the same rows in the same order.`,
      );
    }
  }
}
