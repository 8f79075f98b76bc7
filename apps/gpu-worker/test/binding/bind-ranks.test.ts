import fc from "fast-check";
import { expect, test } from "vitest";
import { bindRanks } from "../../src/binding/bind-ranks.ts";
import { formatCpuList, parseCpuList } from "../../src/binding/cpu-list.ts";

const twoSockets = [
  { id: 0, cpus: [0, 1, 2, 3] },
  { id: 1, cpus: [4, 5, 6, 7] },
];
const listsOf = (numRanks: number, by: "nodes" | "cores") =>
  bindRanks(twoSockets, numRanks, by).map(({ cpus }) => formatCpuList(cpus));

test("ranks fill the nodes in order, each with cores of its own or with those of its node", () => {
  expect(listsOf(4, "cores")).toEqual(["0-1", "2-3", "4-5", "6-7"]);
  expect(listsOf(4, "nodes")).toEqual(["0-3", "0-3", "4-7", "4-7"]);
  expect(listsOf(2, "nodes")).toEqual(["0-3", "4-7"]);
  expect(listsOf(3, "cores")).toEqual(["0-1", "2-3", "4-7"]);
});

test("one rank has all nodes", () => {
  expect(bindRanks(twoSockets, 1, "nodes")).toEqual([{ nodes: [0, 1], cpus: [0, 1, 2, 3, 4, 5, 6, 7] }]);
});

const someNodes = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
  .map((sizes) => sizes.map((size, id) => ({ id, cpus: Array.from({ length: size }, (_, i) => 100 * id + i) })));

test("every rank has a CPU, no CPU is idle, and with enough of them none is shared", () => {
  fc.assert(
    fc.property(someNodes, fc.integer({ min: 1, max: 20 }), (nodes, numRanks) => {
      const bound = bindRanks(nodes, numRanks, "cores").map(({ cpus }) => cpus);
      expect(bound.every((cpus) => cpus.length > 0)).toBe(true);
      const used = bound.flat();
      expect(new Set(used).size).toBe(nodes.flatMap(({ cpus }) => cpus).length);
      const sharers = Math.ceil(numRanks / nodes.length);
      if (nodes.every(({ cpus }) => cpus.length >= sharers)) expect(new Set(used).size).toBe(used.length);
    }),
  );
});

test("the kernel's lists of CPUs are read and written", () => {
  expect(parseCpuList("0-3,8\n")).toEqual([0, 1, 2, 3, 8]);
  expect(parseCpuList("\n")).toEqual([]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 200 })), (cpus) => {
      expect(parseCpuList(formatCpuList(cpus))).toEqual(cpus.toSorted((a, b) => a - b));
    }),
  );
});
