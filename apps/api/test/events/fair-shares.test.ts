import fc from "fast-check";
import { expect, test } from "vitest";
import { fairShares } from "../../src/events/fair-shares.ts";

const wants = fc.array(fc.nat(5000), { minLength: 1, maxLength: 20 });
const limits = fc.integer({ min: 0, max: 4000 });
const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

test("all that can be given is given, and nobody gets more than it wants", () => {
  fc.assert(
    fc.property(wants, limits, (wanted, limit) => {
      const shares = fairShares(wanted, limit);
      expect(sum(shares)).toBe(Math.min(limit, sum(wanted)));
      for (const [i, share] of shares.entries()) expect(share).toBeLessThanOrEqual(wanted[i] ?? 0);
    }),
  );
});

test("who gets less than it wants gets as much as anybody else, but for one that cannot be halved", () => {
  fc.assert(
    fc.property(wants, limits, (wanted, limit) => {
      const shares = fairShares(wanted, limit);
      const most = Math.max(...shares);
      for (const [i, share] of shares.entries())
        if (share < (wanted[i] ?? 0)) expect(share).toBeGreaterThanOrEqual(most - 1);
    }),
  );
});

test("a flood leaves the few of others whole", () => {
  expect(fairShares([100_000, 3, 1], 1000)).toEqual([996, 3, 1]);
});
