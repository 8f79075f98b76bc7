import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { RowCounters } from "../../src/dist-store/row-service.ts";
import type { ListDraw } from "../../src/graph/csc-graph.ts";
import { newRowArray, type RowDtype, type RowSchema } from "../../src/partition/row-schema.ts";
import { codeOf } from "./collective.suite.ts";

/** One rank's service as the suite drives it, wherever it runs. Failures arrive as the code of their GnnError. */
export interface DrivenRows {
  host(name: string, schema: RowSchema, values: readonly number[] | null): Promise<void>;
  get(name: string, ids: readonly number[], timeoutMs?: number): Promise<number[]>;
  set(name: string, ids: readonly number[], rows: readonly number[]): Promise<void>;
  add(name: string, ids: readonly number[], rows: readonly number[]): Promise<void>;
  applyWrites(name: string): Promise<void>;
  takeSums(name: string): Promise<{ ids: number[]; rows: number[] }>;
  hostLists(name: string, offsets: readonly number[], parts: readonly DrivenLists[]): Promise<void>;
  draw(name: string, ids: readonly number[], draw: ListDraw): Promise<{ entries: number[]; values: number[] | null }[]>;
  counters(): Promise<RowCounters>;
  close(): Promise<void>;
}

/** Lists of the ids from `firstNode` on; weighted: half of each entry is its value. */
export interface DrivenLists {
  readonly firstNode: number;
  readonly lists: readonly (readonly number[])[];
  readonly weighted: boolean;
}

export interface RowGroup {
  readonly ranks: readonly DrivenRows[];
  stop(): Promise<void>;
}

const offsetsOf: Readonly<Record<number, readonly number[]>> = {
  1: [0, 20],
  // The middle rank owns nothing.
  3: [0, 7, 7, 20],
};
const float = { dtype: "float32", dim: 2, offsets: offsetsOf[3] as number[] } as const;

/** Row r of a table of `dim` columns is r·dim, r·dim + 1, … */
const counting = (first: number, end: number, dim: number) =>
  Array.from({ length: (end - first) * dim }, (_, i) => first * dim + i);

/** What every RowService promises; `start` makes a fresh, connected group whose calls time out after `timeoutMs`. */
export function rowServiceSuite(
  name: string,
  start: (worldSize: number, timeoutMs: number) => Promise<RowGroup>,
): void {
  describe(`row service ${name}`, () => {
    let group: RowGroup | null = null;
    const startGroup = async (worldSize: number, timeoutMs = 30_000) => {
      group = await start(worldSize, timeoutMs);
      return group.ranks;
    };
    afterEach(async () => {
      await group?.stop();
      group = null;
    });
    const hostCounting = (ranks: readonly DrivenRows[], table: string, schema: RowSchema) =>
      Promise.all(
        ranks.map((rank, r) =>
          rank.host(table, schema, counting(schema.offsets[r] as number, schema.offsets[r + 1] as number, schema.dim)),
        ),
      );

    test.each([1, 3])("on %i ranks any rows can be read from any rank, in the order asked for", async (worldSize) => {
      const ranks = await startGroup(worldSize);
      const offsets = offsetsOf[worldSize] as number[];
      const dtypes: readonly RowDtype[] = ["float32", "int32", "int64", "int8", "uint8", "float16"];
      for (const [i, dtype] of dtypes.entries()) await hostCounting(ranks, `rows/${i}`, { dtype, dim: 3, offsets });
      const anyIds = fc.array(fc.integer({ min: 0, max: 19 }), { maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(anyIds, fc.nat(worldSize - 1), fc.nat(dtypes.length - 1), async (ids, rank, i) => {
          const rows = await (ranks[rank] as DrivenRows).get(`rows/${i}`, ids);
          expect(rows).toEqual(ids.flatMap((id) => [3 * id, 3 * id + 1, 3 * id + 2]));
        }),
        { numRuns: 30 },
      );
    });

    test("writes are read after they are applied, not before", async () => {
      const [a, b, c] = await startGroup(3);
      await hostCounting([a!, b!, c!], "t", float);
      await b!.set("t", [0, 19], [100, 101, 102, 103]);
      expect(await a!.get("t", [0, 19])).toEqual([0, 1, 38, 39]);
      await Promise.all([a!, b!, c!].map((rank) => rank.applyWrites("t")));
      expect(await a!.get("t", [19, 0, 1])).toEqual([102, 103, 100, 101, 2, 3]);
    });

    test("whoever comes first, writes are applied in the order of ranks, and a rank's in the order of its calls", async () => {
      const [a, b, c] = await startGroup(3);
      await hostCounting([a!, b!, c!], "t", float);
      await c!.set("t", [1, 8], [5, 5, 50, 50]);
      await c!.add("t", [1], [1, 2]);
      await a!.set("t", [1, 8], [7, 7, 70, 70]);
      await b!.add("t", [8, 2], [1, 1, 1, 1]);
      await Promise.all([a!, b!, c!].map((rank) => rank.applyWrites("t")));
      expect(await b!.get("t", [1, 8, 2])).toEqual([6, 7, 50, 50, 5, 6]);
    });

    test("of a row set twice in a call the last counts; rows added twice are both added", async () => {
      const [a, b, c] = await startGroup(3);
      await hostCounting([a!, b!, c!], "t", float);
      await hostCounting([a!, b!, c!], "whole", { ...float, dtype: "int64" });
      await a!.set("t", [9, 1, 9], [1, 1, 2, 2, 3, 3]);
      await a!.add("whole", [9, 9, 0], [1, 2, 10, 20, -5, -6]);
      await Promise.all([a!, b!, c!].flatMap((rank) => [rank.applyWrites("t"), rank.applyWrites("whole")]));
      expect(await b!.get("t", [9, 1])).toEqual([3, 3, 2, 2]);
      expect(await c!.get("whole", [9, 0])).toEqual([18 + 11, 19 + 22, -5, -5]);
    });

    test("a table without values collects sums of what all ranks add, rows in order", async () => {
      const [a, b, c] = await startGroup(3);
      for (const rank of [a!, b!, c!]) await rank.host("g", float, null);
      await c!.add("g", [8, 3], [1, 2, 3, 4]);
      await a!.add("g", [19, 8, 8], [1, 1, 10, 20, 100, 200]);
      expect(await a!.takeSums("g")).toEqual({ ids: [3], rows: [3, 4] });
      expect(await b!.takeSums("g")).toEqual({ ids: [], rows: [] });
      expect(await c!.takeSums("g")).toEqual({ ids: [8, 19], rows: [111, 222, 1, 1] });
      expect(await c!.takeSums("g")).toEqual({ ids: [], rows: [] });
      expect(await failureOf(a!.get("g", [3]))).toBe("SPEC_INVALID");
      expect(await failureOf(b!.get("g", [3]))).toMatch(/SPEC_INVALID|RANK_MISMATCH/);
    });

    test("a call of many megabytes arrives whole, and many calls at once do not mix", async () => {
      const [a, b, c] = await startGroup(3);
      const wide = { dtype: "float32", dim: 300, offsets: [0, 200, 200, 1400] } as const;
      await hostCounting([a!, b!, c!], "wide", wide);
      const ids = Array.from({ length: 1300 }, (_, i) => (i * 7919) % 1400);
      const calls = [a!.get("wide", ids), a!.get("wide", ids.toReversed()), b!.get("wide", ids)];
      for (const [i, rows] of (await Promise.all(calls)).entries()) {
        const asked = i === 1 ? ids.toReversed() : ids;
        expect(asked.every((id, k) => rows[k * 300] === id * 300 && rows[k * 300 + 299] === id * 300 + 299)).toBe(true);
      }
      await a!.set(
        "wide",
        ids,
        Array.from({ length: 1300 * 300 }, () => -1),
      );
      await Promise.all([a!, b!, c!].map((rank) => rank.applyWrites("wide")));
      expect((await b!.get("wide", [ids[1299] as number])).every((value) => value === -1)).toBe(true);
    });

    test("no ids are no work", async () => {
      const [a, b, c] = await startGroup(3);
      await hostCounting([a!, b!, c!], "t", float);
      expect(await a!.get("t", [])).toEqual([]);
      await a!.set("t", [], []);
      expect(await a!.counters()).toMatchObject({ requestedRows: 0, localRows: 0, remoteRows: 0, remoteBytes: 0 });
    });

    test("each row of a call is counted and travels once, local apart from remote", async () => {
      const [a, b, c] = await startGroup(3);
      await hostCounting([a!, b!, c!], "t", float);
      await a!.get("t", [1, 8, 8, 1, 19, 8]);
      // 2 remote rows of 8 bytes, each with an id of 4
      expect(await a!.counters()).toMatchObject({ requestedRows: 6, localRows: 1, remoteRows: 2, remoteBytes: 24 });
      await a!.add("t", [9, 9], [1, 1, 1, 1]);
      expect(await a!.counters()).toMatchObject({ requestedRows: 8, localRows: 1, remoteRows: 3, remoteBytes: 36 });
    });

    const hostLists = (ranks: readonly DrivenRows[], table: string, lists: readonly number[][], weighted = true) => {
      const offsets = offsetsOf[ranks.length] as number[];
      return Promise.all(
        ranks.map((rank, r) => {
          const first = offsets[r] as number;
          const end = offsets[r + 1] as number;
          // A rank may hold several parts.
          const middle = Math.floor((first + end) / 2);
          return rank.hostLists(table, offsets, [
            { firstNode: first, lists: lists.slice(first, middle), weighted },
            { firstNode: middle, lists: lists.slice(middle, end), weighted },
          ]);
        }),
      );
    };
    // List i has the entries 100·i, 100·i + 1, …; some have none.
    const someLists = Array.from({ length: 20 }, (_, i) => Array.from({ length: (i * 7) % 12 }, (_, k) => 100 * i + k));
    const key = { seed: 5, epoch: 1, step: 2, hop: 0 };

    test.each([1, 3])(
      "on %i ranks lists are drawn from alike on every rank, in the order asked for",
      async (worldSize) => {
        const ranks = await startGroup(worldSize);
        await hostLists(ranks, "in", someLists);
        await hostLists(ranks, "bare", someLists, false);
        const anyIds = fc.array(fc.integer({ min: 0, max: 19 }), { maxLength: 40 });
        const draws = fc.record({ fanout: fc.integer({ min: -1, max: 8 }), replace: fc.boolean(), hop: fc.nat(2) });
        const first = new Map<string, unknown>();
        await fc.assert(
          fc.asyncProperty(anyIds, fc.nat(worldSize - 1), draws, async (ids, rank, draw) => {
            const drawn = await ranks[rank]!.draw("in", ids, { ...key, ...draw });
            expect(await ranks[0]!.draw("bare", ids, { ...key, ...draw })).toEqual(
              drawn.map(({ entries }) => ({ entries, values: null })),
            );
            for (const [i, id] of ids.entries()) {
              const { entries, values } = drawn[i]!;
              const list = someLists[id]!;
              expect(values).toEqual(entries.map((entry) => entry / 2));
              expect(entries).toEqual(entries.toSorted((a, b) => a - b));
              for (const entry of entries) expect(list).toContain(entry);
              const { fanout, replace, hop } = draw;
              const most = fanout < 0 ? list.length : Math.min(fanout, list.length);
              expect(entries.length).toBe(replace && fanout >= 0 && list.length > 0 ? fanout : most);
              if (!replace) expect(new Set(entries).size).toBe(entries.length);
              // A draw is the same wherever and whenever it is asked for.
              const name = `${id} ${fanout} ${replace} ${hop}`;
              expect(entries).toEqual(first.get(name) ?? entries);
              first.set(name, entries);
            }
          }),
          { numRuns: 40 },
        );
        const lists = (seed: number) => ranks[0]!.draw("in", [11, 5, 17], { ...key, seed, fanout: 3, replace: false });
        expect(await lists(5)).not.toEqual(await lists(6));
      },
    );

    test("lists longer than a message of ordinary size arrive whole, and each is counted and travels once", async () => {
      const ranks = await startGroup(3);
      const long = Array.from({ length: 20 }, (_, i) => Array.from({ length: i < 7 ? 1 : 20_000 }, (_, k) => i + k));
      await hostLists(ranks, "long", long);
      const ids = [9, 3, 19, 9, 8, 7, 10, 11, 12];
      const drawn = await ranks[0]!.draw("long", ids, { ...key, fanout: -1, replace: false });
      expect(ids.every((id, i) => drawn[i]!.entries.length === long[id]!.length)).toBe(true);
      expect(ids.every((id, i) => drawn[i]!.entries.every((entry, k) => entry === id + k))).toBe(true);
      // 7 lists of rank 2, each with an id and a length of 4 bytes; entries and values of 4
      const counted = { remoteLists: 7, remoteEntries: 140_000, remoteBytes: 7 * 8 + 140_000 * 8 };
      expect(await ranks[0]!.counters()).toMatchObject(counted);
    });

    test("lists that nobody hosts, or ids outside them, are refused, and the service goes on", async () => {
      const ranks = await startGroup(3);
      const draw = { ...key, fanout: 2, replace: false };
      expect(await failureOf(ranks[0]!.draw("in", [1], draw))).toBe("SPEC_INVALID");
      await ranks[0]!.hostLists(
        "half",
        [0, 7, 7, 20],
        [{ firstNode: 0, lists: someLists.slice(0, 7), weighted: true }],
      );
      expect(await failureOf(ranks[0]!.draw("half", [8], draw))).toBe("RANK_MISMATCH");
      const wrong = [{ firstNode: 0, lists: someLists.slice(0, 6), weighted: true }];
      expect(await failureOf(ranks[0]!.hostLists("in", [0, 7, 7, 20], wrong))).toBe("SPEC_INVALID");
      await hostLists(ranks, "in", someLists);
      expect(await failureOf(ranks[0]!.draw("in", [20], draw))).toBe("SHAPE_MISMATCH");
      expect(await failureOf(ranks[0]!.draw("in", [-1], draw))).toBe("SHAPE_MISMATCH");
      expect(await failureOf(ranks[0]!.hostLists("in", [0, 7, 7, 20], []))).toBe("SPEC_INVALID");
      expect((await ranks[0]!.draw("in", [8, 3], draw)).map(({ entries }) => entries.length)).toEqual([2, 2]);
      await ranks[2]!.close();
      expect(await failureOf(ranks[0]!.draw("in", [8], draw))).toBe("RANK_LOST");
    });

    test("wrong ids, names, widths and types are refused with their code, and the service goes on", async () => {
      const [a, b, c] = await startGroup(3);
      await hostCounting([a!, b!, c!], "t", float);
      await hostCounting([a!, b!, c!], "frozen", { ...float, readOnly: true });
      await hostCounting([a!, b!, c!], "small", { ...float, dtype: "int8" });
      expect(await failureOf(a!.get("t", [20]))).toBe("SHAPE_MISMATCH");
      expect(await failureOf(a!.get("t", [-1]))).toBe("SHAPE_MISMATCH");
      expect(await failureOf(a!.set("t", [1], [1, 2, 3]))).toBe("SHAPE_MISMATCH");
      expect(await failureOf(a!.get("unknown", [1]))).toBe("SPEC_INVALID");
      expect(await failureOf(a!.set("frozen", [8], [1, 2]))).toBe("SPEC_INVALID");
      expect(await failureOf(a!.add("small", [8], [1, 2]))).toBe("SPEC_INVALID");
      expect(await failureOf(a!.host("t", float, counting(0, 7, 2)))).toBe("SPEC_INVALID");
      expect(await failureOf(a!.host("../t", float, counting(0, 7, 2)))).toBe("SPEC_INVALID");
      expect(await failureOf(a!.host("other", float, counting(0, 6, 2)))).toBe("SHAPE_MISMATCH");
      expect(await failureOf(a!.host("other", { ...float, offsets: [0, 20] }, counting(0, 7, 2)))).toBe("SPEC_INVALID");
      expect(await a!.get("t", [8])).toEqual([16, 17]);
    });

    test("an owner that hosts nothing, or something else, under the name is RANK_MISMATCH", async () => {
      const [a, b, c] = await startGroup(3);
      await a!.host("t", float, counting(0, 7, 2));
      expect(await failureOf(a!.get("t", [8]))).toBe("RANK_MISMATCH");
      await c!.host("t", { ...float, dim: 3 }, counting(7, 20, 3));
      expect(await failureOf(a!.get("t", [8]))).toBe("RANK_MISMATCH");
      expect(await a!.get("t", [3])).toEqual([6, 7]);
      await b!.close();
    });

    test("a rank that closed is RANK_LOST to the others, at once; closing twice is harmless", async () => {
      const [a, b, c] = await startGroup(3, 30_000);
      await hostCounting([a!, b!, c!], "t", float);
      await c!.close();
      await c!.close();
      expect(await failureOf(c!.get("t", [8]))).toBe("RANK_LOST");
      const startedAt = performance.now();
      expect(await failureOf(a!.get("t", [8]))).toBe("RANK_LOST");
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });
  });
}

/** The code that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  const [result] = await Promise.allSettled([call]);
  return codeOf(result);
}

/** Numbers as rows of the type; int64 from whole numbers. */
export function toRows(dtype: RowDtype, values: readonly number[]) {
  const rows = newRowArray(dtype, values.length);
  for (const [i, value] of values.entries()) rows[i] = dtype === "int64" ? BigInt(value) : value;
  return rows;
}
