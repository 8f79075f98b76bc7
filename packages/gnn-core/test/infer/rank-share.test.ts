import fc from "fast-check";
import { expect, test } from "vitest";
import { rankShare } from "../../src/infer/rank-share.ts";

test("shares follow each other, cover every node and differ by at most one", () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 64 }), (numNodes, worldSize) => {
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
