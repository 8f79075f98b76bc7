import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { IdArray } from "../../src/partition/id-ranges.ts";
import { PartitionBook } from "../../src/partition/partition-book.ts";
import { relabelNodes } from "../../src/partition/relabel-nodes.ts";

const offsetsOf = (counts: readonly number[]) =>
  counts.reduce((offsets, count) => [...offsets, offsets.at(-1)! + count], [0]);
/** Nodes and edges of each part. */
const sizes = fc.array(fc.tuple(fc.nat(6), fc.nat(9)), { minLength: 1, maxLength: 6 });
const bookOf = (counts: readonly (readonly [number, number])[]) =>
  new PartitionBook(offsetsOf(counts.map(([nodes]) => nodes)), offsetsOf(counts.map(([, edges]) => edges)));

const arrays: readonly ((ids: readonly number[]) => IdArray)[] = [
  (ids) => Int32Array.from(ids),
  (ids) => Float64Array.from(ids),
  (ids) => BigInt64Array.from(ids, BigInt),
];
const kindOfArray = fc.constantFrom(...arrays);
const numbers = (ids: IdArray) => Array.from(ids, Number);

/** Nodes and edges are asked the same four questions. */
const views = [
  {
    what: "nodes",
    of: 0,
    numIds: (book: PartitionBook) => book.numNodes,
    range: (book: PartitionBook, part: number) => book.partToNodes(part),
    parts: (book: PartitionBook, ids: IdArray) => book.nodeToPart(ids),
    toLocal: (book: PartitionBook, ids: IdArray, part: number) => book.toLocal(ids, part),
    toGlobal: (book: PartitionBook, ids: IdArray, part: number) => book.toGlobal(ids, part),
  },
  {
    what: "edges",
    of: 1,
    numIds: (book: PartitionBook) => book.numEdges,
    range: (book: PartitionBook, part: number) => book.partToEdges(part),
    parts: (book: PartitionBook, ids: IdArray) => book.edgeToPart(ids),
    toLocal: (book: PartitionBook, ids: IdArray, part: number) => book.toLocalEdges(ids, part),
    toGlobal: (book: PartitionBook, ids: IdArray, part: number) => book.toGlobalEdges(ids, part),
  },
] as const;

describe.each(views)("the partition book's $what", ({ of, numIds, range, parts, toLocal, toGlobal }) => {
  test("belong to the part that a list of all of them says, empty parts included", () => {
    fc.assert(
      fc.property(sizes, kindOfArray, (counts, array) => {
        const book = bookOf(counts);
        const expected = counts.flatMap((count, part) => Array.from({ length: count[of] }, () => part));
        expect([...parts(book, array([...expected.keys()]))]).toEqual(expected);
        expect(counts.map((_, part) => range(book, part))).toEqual(
          counts.map((count, part) => ({ first: expected.filter((owner) => owner < part).length, count: count[of] })),
        );
      }),
    );
  });

  test("are counted from 0 inside their part and lead back; those of other parts are -1", () => {
    fc.assert(
      fc.property(sizes, kindOfArray, (counts, array) => {
        const book = bookOf(counts);
        const all = [...Array(numIds(book)).keys()];
        for (let part = 0; part < book.numParts; part++) {
          const local = toLocal(book, array(all), part);
          const inner = all.filter((_, i) => Number(local[i]) >= 0);
          expect(numbers(local).filter((id) => id >= 0)).toEqual([...Array(counts[part]![of]).keys()]);
          expect(numbers(toGlobal(book, array([...inner.keys()]), part))).toEqual(inner);
          expect(local.constructor).toBe(array([]).constructor);
        }
      }),
    );
  });

  test("that do not exist are refused", () => {
    const book = bookOf([
      [2, 2],
      [1, 1],
    ]);
    const refusal = expect.objectContaining({ code: "SHAPE_MISMATCH" });
    for (const id of [-1, 3]) expect(() => parts(book, Int32Array.of(id))).toThrow(refusal);
    expect(() => parts(book, Float64Array.of(Number.NaN))).toThrow(refusal);
    for (const part of [-1, 2, 0.5]) expect(() => range(book, part)).toThrow(refusal);
    expect(() => toGlobal(book, Int32Array.of(1), 1)).toThrow(refusal);
  });
});

describe("the partition book", () => {
  test("holds more edges than 32 bits count", () => {
    const half = 2 ** 40;
    const book = new PartitionBook([0, 1, 2], [0, half, 2 * half]);
    const edges = BigInt64Array.of(BigInt(half) - 1n, BigInt(half), BigInt(2 * half - 1));
    expect([...book.edgeToPart(edges)]).toEqual([0, 1, 1]);
    expect([...book.toLocalEdges(edges, 1)]).toEqual([-1n, 0n, BigInt(half - 1)]);
    expect([...book.toGlobalEdges(Float64Array.of(half - 1), 1)]).toEqual([2 * half - 1]);
  });

  test("refuses offsets that do not ascend from 0, and nodes and edges of different numbers of parts", () => {
    const refusal = expect.objectContaining({ code: "MANIFEST_INVALID" });
    for (const offsets of [[0, 3, 2], [1, 2], [0], []]) {
      expect(() => new PartitionBook(offsets, [0, 1])).toThrow(refusal);
      expect(() => new PartitionBook([0, 1], offsets)).toThrow(refusal);
    }
    expect(() => new PartitionBook([0, 1, 2], [0, 1])).toThrow(refusal);
  });
});

describe("relabelling", () => {
  test("is a permutation that keeps the order of nodes inside a part", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3)), (assignment) => {
        const { nodeMap, globalIds, nodeOffsets } = relabelNodes(Int32Array.from(assignment), 4);
        expect([...nodeMap].map((node) => globalIds[node])).toEqual([...nodeMap.keys()]);
        const expected = [0, 1, 2, 3].flatMap((part) => assignment.flatMap((p, node) => (p === part ? [node] : [])));
        expect([...nodeMap]).toEqual(expected);
        expect(nodeOffsets.at(-1)).toBe(assignment.length);
      }),
    );
  });

  test("a part that does not exist is refused", () => {
    expect(() => relabelNodes(Int32Array.of(0, 2), 2)).toThrow(expect.objectContaining({ code: "PARTITION_FAILED" }));
  });
});
