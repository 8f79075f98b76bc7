import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PartitionBook } from "../../src/partition/partition-book.ts";
import { relabelNodes } from "../../src/partition/relabel-nodes.ts";

const sizes = fc.array(fc.nat(6), { minLength: 1, maxLength: 6 });
const bookOf = (counts: readonly number[]) =>
  new PartitionBook(counts.reduce((offsets, count) => [...offsets, offsets.at(-1)! + count], [0]));

describe("the partition book", () => {
  test("finds the part of every node, empty parts included, as a scan of the ranges does", () => {
    fc.assert(
      fc.property(sizes, (counts) => {
        const book = bookOf(counts);
        const expected = counts.flatMap((count, part) => Array.from({ length: count }, () => part));
        expect([...book.nodeToPart(Int32Array.from(expected.keys()))]).toEqual(expected);
        expect(counts.map((_, part) => book.partToNodes(part).count)).toEqual(counts);
      }),
    );
  });

  test("toGlobal undoes toLocal for inner nodes; others are -1", () => {
    fc.assert(
      fc.property(sizes, (counts) => {
        const book = bookOf(counts);
        const all = Int32Array.from({ length: book.numNodes }, (_, i) => i);
        for (let part = 0; part < book.numParts; part++) {
          const local = book.toLocal(all, part);
          const inner = all.filter((_, i) => local[i]! >= 0);
          expect([
            ...book.toGlobal(
              local.filter((id) => id >= 0),
              part,
            ),
          ]).toEqual([...inner]);
          expect(inner).toHaveLength(counts[part]!);
        }
      }),
    );
  });

  test("refuses nodes, parts and offsets that do not exist", () => {
    const book = bookOf([2, 1]);
    const refusal = expect.objectContaining({ code: "SHAPE_MISMATCH" });
    expect(() => book.nodeToPart(Int32Array.of(3))).toThrow(refusal);
    expect(() => book.partToNodes(2)).toThrow(refusal);
    expect(() => book.toGlobal(Int32Array.of(1), 1)).toThrow(refusal);
    expect(() => new PartitionBook([0, 3, 2])).toThrow(expect.objectContaining({ code: "MANIFEST_INVALID" }));
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
