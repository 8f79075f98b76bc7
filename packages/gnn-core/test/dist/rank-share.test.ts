import { assert, integer, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { rankShare } from "../../src/dist/rank-share.ts";

test("shares follow each other, cover every node and differ by at most one", () => {
  assert(
    property(nat(10_000), integer({ min: 1, max: 64 }), (numNodes, worldSize) => {
      const shares = Array.from({ length: worldSize }, (_, rank) => rankShare(numNodes, { rank, worldSize }));
      let next = 0;
      for (const { first, count } of shares) {
        expect(first).toBe(next);
        next += count;
      }
      expect(next).toBe(numNodes);
      const counts = shares.map(({ count }) => count);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }),
  );
});
