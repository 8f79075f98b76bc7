import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryGraph, arbitraryIds, expectAllClose, karate, karateFactions, namedGraphs } from "../src/index.ts";

const degree = (node: number) => [...karate.src, ...karate.dst].filter((end) => end === node).length;

describe("named graphs", () => {
  it("holds Zachary's club: 34 members, 78 friendships, degrees 16 and 17 of the two leaders", () => {
    expect([karate.numNodes, karate.src.length, karateFactions.length]).toEqual([34, 78, 34]);
    expect([degree(0), degree(33), degree(32), degree(11)]).toEqual([16, 17, 12, 1]);
  });

  it.each(namedGraphs)("$name has ends within its nodes", ({ numNodes, src, dst }) => {
    expect(src).toHaveLength(dst.length);
    for (const end of [...src, ...dst]) expect(end).toBeLessThan(numNodes);
  });
});

describe("arbitraries", () => {
  it("give graphs with ends within their nodes, and distinct ids", () => {
    fc.assert(
      fc.property(arbitraryGraph({ maxNodes: 10 }), arbitraryIds(10), ({ numNodes, src, dst }, ids) => {
        expect([...src, ...dst].every((end) => end >= 0 && end < numNodes)).toBe(true);
        expect(new Set(ids).size).toBe(10);
      }),
      { numRuns: 50 },
    );
  });
});

describe("expectAllClose", () => {
  it("passes within the tolerance and on equal NaN", () => {
    expectAllClose([1, 1e6, Number.NaN], [1 + 5e-6, 1e6 + 5, Number.NaN]);
  });

  it("names the worst element otherwise", () => {
    expect(() => expectAllClose([1, 2, 3], [1, 2.1, 4])).toThrow(/element 2 is 3; expected 4/);
    expect(() => expectAllClose([Number.NaN], [1])).toThrow(/element 0/);
    expect(() => expectAllClose([1], [1, 2])).toThrow(/1 elements; expected 2/);
  });
});
