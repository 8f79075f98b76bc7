import type { RowCounters } from "../backends/native/rows-addon.ts";
import type { CscPart, DrawnLists, ListDraw } from "../graph/csc-graph.ts";
import type { RowArray, RowDtype, RowSchema } from "../partition/row-schema.ts";

export type { RowCounters } from "../backends/native/rows-addon.ts";

export interface RowCallOptions {
  /** Deadline of this call; left out: that of the service */
  readonly timeoutMs?: number;
}

/** Sums of what was added to a table, one row per distinct id, ids ascending. */
export interface RowSums {
  readonly ids: Int32Array;
  readonly rows: Float32Array;
}

/**
 * Rows by global id, wherever they are: each rank hosts a range of every table and reaches all of them, one-sided, in
 * batches. Within a call each row travels once, however often it is named.
 *
 * Versions: `get` reads rows as they were when writes were last applied. `set` and `add` are kept by the owners, who
 * apply them with `applyWrites` in the order of (rank, call): same calls, same bits, whatever the timing. When to
 * apply is the caller's to agree on: see DistStore.
 *
 * Errors of a call: SHAPE_MISMATCH (an id outside the table, an array of another length), SPEC_INVALID (unknown or
 * read-only rows, a type without a sum), RANK_MISMATCH (the owner hosts something else under the name), RANK_LOST (an
 * owner has gone away, or this service is closed), RANK_TIMEOUT (no answer by the deadline). No call hangs.
 */
export interface RowService {
  readonly rank: number;
  readonly worldSize: number;
  /**
   * Offers this rank's range of a table, before any rank asks for it.
   *
   * @param values [rows of this rank · dim], the service's to write from here on; null: `add` only, for `takeSums`
   * @throws GnnError SPEC_INVALID for a name that is taken or unfit, or a schema for another number of ranks
   */
  host<D extends RowDtype>(name: string, schema: RowSchema<D>, values: RowArray<D> | null): void;
  /** Rows in the order of `ids` [ids · dim]; ids must stay untouched until then. */
  get<D extends RowDtype>(name: string, ids: Int32Array, options?: RowCallOptions): Promise<RowArray<D>>;
  /** Replaces rows at the next `applyWrites` of their owners; of an id named twice the last counts. */
  set(name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void>;
  /** Adds to rows likewise; rows of an id named twice are added in their order. Integers wrap around. */
  add(name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void>;
  /** Applies what came for this rank's rows, ordered by (rank, call). */
  applyWrites(name: string): void;
  /** Takes what was added to this rank's float32 rows since the last time, summed in that order. */
  takeSums(name: string): RowSums;
  /**
   * Offers this rank's lists of a table, such as the in-edges of its nodes, before any rank asks for them. Lists are
   * named apart from rows.
   *
   * @param offsets [worldSize + 1] from 0: who owns which ids
   * @param parts   consecutive, together this rank's range; the service's to read from here on
   * @throws GnnError SPEC_INVALID for a name that is taken or unfit, or parts of another range
   */
  hostLists(name: string, offsets: readonly number[], parts: readonly CscPart[]): void;
  /**
   * Draws from the lists of `ids` where they lie: a function of the key and the id, whoever asks, as the samplers of a
   * whole graph draw. A list named twice is asked for once. Errors as above, and DATASET_TOO_LARGE when one call draws
   * 2^31 entries, RANK_MISMATCH when a single list is longer than a message (2 million entries with values).
   */
  draw(name: string, ids: Int32Array, draw: ListDraw, options?: RowCallOptions): Promise<DrawnLists>;
  counters(): RowCounters;
  /** Other ranks' calls to this one fail with RANK_LOST from here on. */
  close(): Promise<void>;
}
