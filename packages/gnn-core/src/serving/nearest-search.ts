import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { type FoundRows, metricCodes } from "../backends/native/serving-addon.ts";
import { GnnError } from "../errors/gnn-error.ts";

/** What makes rows near: the cosine of their angle, their dot product, or a small Euclidean distance. */
export type NeighborMetric = keyof typeof metricCodes;
export const neighborMetrics = Object.keys(metricCodes) as readonly NeighborMetric[];

/** Only rows of one group are looked for. */
export interface RowGroup {
  /** int32 [numRows] */
  readonly groupOf: Int32Array;
  readonly wanted: number;
}

export interface NearestQuery {
  /** float32 [dim] */
  readonly vector: Float32Array;
  readonly k: number;
  readonly metric: NeighborMetric;
  /** Left out: all rows */
  readonly among?: RowGroup | undefined;
}

export interface NearRow {
  readonly row: number;
  /** Cosine or dot product, the higher the nearer; of `l2` the distance, the lower the nearer */
  readonly score: number;
}

interface Waiting extends NearestQuery {
  readonly resolve: (found: readonly NearRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Queries that are answered at once: whole tiles of the product of matrices. */
const mostAtOnce = 96;

/**
 * Finds the nearest of some rows to vectors, exactly: the order is that of a brute-force search in double precision,
 * equally near rows by their number. Queries that come while another search runs are answered together, in one pass
 * over the rows. Memory beside the rows: 4 bytes per row, and about 2 MiB per thread.
 */
export class NearestSearch {
  readonly rows: Float32Array;
  readonly dim: number;
  readonly #norms: Float32Array;
  #waiting: Waiting[] = [];
  #isRunning = false;

  private constructor(rows: Float32Array, dim: number, norms: Float32Array) {
    this.rows = rows;
    this.dim = dim;
    this.#norms = norms;
  }

  /** @param rows float32 [numRows, dim], left as they are as long as there are searches; may be mapped from a file */
  static async open(rows: Float32Array, dim: number): Promise<NearestSearch> {
    return new NearestSearch(rows, dim, await native(() => loadAddon().rowNorms(rows, dim)));
  }

  get numRows(): number {
    return this.#norms.length;
  }

  /** @throws GnnError SHAPE_MISMATCH when the vector has another width or holds what is no finite number */
  async find(query: NearestQuery): Promise<readonly NearRow[]> {
    const { vector, among } = query;
    if (vector.length !== this.dim)
      throw mismatch(`The vector has ${vector.length} numbers; the rows have ${this.dim}.`);
    if (!vector.every(Number.isFinite))
      throw mismatch("The vector holds what is no finite number of single precision.");
    if (among && among.groupOf.length !== this.numRows) throw mismatch("There is not one group for each row.");
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...query, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Whoever asks in the same turn is answered in the same pass.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        deal(batch, await this.#search(batch));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** The oldest, and those that can be answered with it. */
  #takeBatch(): Waiting[] {
    const [first] = this.#waiting as [Waiting];
    let groupOf = first.among?.groupOf;
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const query of this.#waiting) {
      const groups = query.among?.groupOf;
      const fits = query.metric === first.metric && (!groups || !groupOf || groups === groupOf);
      if (!fits || batch.length === mostAtOnce) rest.push(query);
      else batch.push(query);
      if (fits) groupOf ??= groups;
    }
    this.#waiting = rest;
    return batch;
  }

  #search(batch: readonly Waiting[]): Promise<FoundRows> {
    const queries = new Float32Array(batch.length * this.dim);
    for (const [i, { vector }] of batch.entries()) queries.set(vector, i * this.dim);
    const k = Math.max(...batch.map((query) => query.k));
    const groupOf = batch.find(({ among }) => among)?.among?.groupOf ?? null;
    const wanted = groupOf && Int32Array.from(batch, ({ among }) => among?.wanted ?? -1);
    const metric = metricCodes[(batch[0] as Waiting).metric];
    return native(() => loadAddon().nearestRows(this.rows, this.#norms, this.dim, queries, metric, k, groupOf, wanted));
  }
}

/** Gives each query its rows, as many as it asked for. */
function deal(batch: readonly Waiting[], { counts, rows, scores }: FoundRows): void {
  let first = 0;
  for (const [i, { k, metric, resolve }] of batch.entries()) {
    const count = counts[i]!;
    const near = Array.from({ length: Math.min(k, count) }, (_, at) => {
      const score = scores[first + at]!;
      return { row: rows[first + at]!, score: metric === "l2" ? Math.sqrt(Math.max(0, -score)) : score };
    });
    first += count;
    resolve(near);
  }
}

function mismatch(message: string): GnnError {
  return new GnnError("SHAPE_MISMATCH", message);
}
