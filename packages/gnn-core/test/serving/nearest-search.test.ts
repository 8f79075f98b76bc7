import { beforeAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../src/generate/random.ts";
import { type NearestQuery, NearestSearch, type NearRow, neighborMetrics } from "../../src/serving/nearest-search.ts";

/** Every score in double precision, sorted; of equal ones the lower row first. */
function bruteForce(rows: Float32Array, dim: number, { vector, k, metric, among }: NearestQuery): NearRow[] {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    let sum = 0;
    for (let d = 0; d < dim; d++) sum += a[d]! * b[d]!;
    return sum;
  };
  const scoreOf = (row: Float32Array) => {
    if (metric === "dot") return dot(row, vector);
    if (metric === "l2") {
      const difference = Float64Array.from(row, (value, d) => value - vector[d]!);
      return -dot(difference, difference);
    }
    const scale = Math.sqrt(dot(row, row)) * Math.sqrt(dot(vector, vector));
    return scale === 0 ? 0 : dot(row, vector) / scale;
  };
  const all = Array.from({ length: rows.length / dim }, (_, row) => ({
    row,
    score: scoreOf(rows.subarray(row * dim, (row + 1) * dim)),
  }));
  return all
    .filter(({ row, score }) => !Number.isNaN(score) && (!among || among.groupOf[row] === among.wanted))
    .toSorted((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, k)
    .map(({ row, score }) => ({ row, score: metric === "l2" ? Math.sqrt(-score) : score }));
}

function normalRows(count: number, dim: number, seed: number): Float32Array {
  const random = new SeededRandom(seed);
  return Float32Array.from({ length: count * dim }, () => random.uniform() + random.uniform() - 1);
}

const sameBits = (found: readonly NearRow[], expected: readonly NearRow[]) => expect(found).toEqual(expected);

describe.each(neighborMetrics)("the nearest rows by %s", (metric) => {
  it.each([
    { dim: 1, count: 300 },
    { dim: 7, count: 1 },
    { dim: 16, count: 513 },
    { dim: 33, count: 4000 },
    { dim: 3, count: 17_000 },
  ])("are those of a brute-force search, of $count rows of $dim columns", async ({ dim, count }) => {
    const rows = normalRows(count, dim, dim);
    const search = await NearestSearch.open(rows, dim);
    for (const numQueries of [1, 3, 12]) {
      const queries = Array.from({ length: numQueries }, (_, i) => ({
        vector: normalRows(1, dim, 100 + i),
        k: [1, 10, 2 * count][i % 3]!,
        metric,
      }));
      const found = await Promise.all(queries.map((query) => search.find(query)));
      for (const [i, query] of queries.entries()) sameBits(found[i]!, bruteForce(rows, dim, query));
    }
  });

  it("come in the order of the rows where many are equally near", async () => {
    const [dim, count] = [16, 40_000];
    const few = normalRows(5, dim, 3);
    const rows = new Float32Array(count * dim);
    // Most rows are one of five, and some are zero.
    for (let row = 0; row < count; row++) {
      const which = (row * 7919) % 6;
      if (which < 5) rows.set(few.subarray(which * dim, (which + 1) * dim), row * dim);
    }
    const search = await NearestSearch.open(rows, dim);
    const query = { vector: few.slice(0, dim), k: 100, metric };
    sameBits(await search.find(query), bruteForce(rows, dim, query));
    const nothing = { vector: new Float32Array(dim), k: 50, metric };
    sameBits(await search.find(nothing), bruteForce(rows, dim, nothing));
  });

  it("are told apart where they differ by less than single precision can add up", async () => {
    const [dim, count] = [64, 3000];
    const center = normalRows(1, dim, 8);
    const random = new SeededRandom(4);
    // Each row is the same but for the last bit of some numbers.
    const rows = Float32Array.from({ length: count * dim }, (_, i) =>
      Math.fround(center[i % dim]! * (1 + (random.integer(3) - 1) * 2 ** -23)),
    );
    const search = await NearestSearch.open(rows, dim);
    const query = { vector: center, k: 25, metric };
    sameBits(await search.find(query), bruteForce(rows, dim, query));
  });

  it("are right for numbers at the ends of what single precision holds, and leave out rows with a NaN", async () => {
    const [dim, count] = [20, 2000];
    const rows = normalRows(count, dim, 5);
    for (let i = 0; i < rows.length; i++) rows[i] = rows[i]! * 10 ** ((((i / dim) | 0) % 77) - 38);
    rows[5 * dim] = Number.NaN;
    const search = await NearestSearch.open(rows, dim);
    for (const scale of [1e-30, 1, 1e30]) {
      const query = { vector: normalRows(1, dim, 6).map((value) => value * scale), k: 40, metric };
      sameBits(await search.find(query), bruteForce(rows, dim, query));
    }
  });

  it("are those of one group where a query asks for it, beside queries that ask for all", async () => {
    const [dim, count] = [12, 5000];
    const rows = normalRows(count, dim, 9);
    const groupOf = Int32Array.from({ length: count }, (_, row) => row % 50);
    const search = await NearestSearch.open(rows, dim);
    const queries: NearestQuery[] = Array.from({ length: 12 }, (_, i) => ({
      vector: normalRows(1, dim, 20 + i),
      k: 15,
      metric,
      among: i % 3 === 0 ? undefined : { groupOf, wanted: i },
    }));
    const found = await Promise.all(queries.map((query) => search.find(query)));
    for (const [i, query] of queries.entries()) sameBits(found[i]!, bruteForce(rows, dim, query));
  });
});

describe("a search", () => {
  let search: NearestSearch;
  beforeAll(async () => {
    search = await NearestSearch.open(normalRows(10, 4, 1), 4);
  });

  it("refuses a vector of another width or with what is no number", async () => {
    const query = { k: 1, metric: "dot" } as const;
    await expect(search.find({ ...query, vector: new Float32Array(3) })).rejects.toThrow("3 numbers; the rows have 4");
    await expect(search.find({ ...query, vector: Float32Array.of(1, 2, 3, 1e39) })).rejects.toThrow("no finite number");
  });

  it("finds nothing when nothing is asked for", async () => {
    expect(await search.find({ vector: new Float32Array(4), k: 0, metric: "cosine" })).toEqual([]);
  });
});
