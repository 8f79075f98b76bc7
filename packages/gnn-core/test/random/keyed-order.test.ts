import fc from "fast-check";
import { expect, test } from "vitest";
import { keyedHash, keyedOrder } from "../../src/random/keyed-order.ts";

const hashBits = 22;

/** By the upper bits of the hash, then by id: what an order means, id by id. */
function oneByOne(ids: readonly number[], key: readonly number[]): number[] {
  const place = (id: number) => keyedHash(...key, id) >>> (32 - hashBits);
  return ids.toSorted((a, b) => place(a) - place(b) || a - b);
}

test("ids are ordered by their hash and then by themselves, in whatever order they come", () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 300 });
  fc.assert(
    fc.property(ids, fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { maxLength: 3 }), (given, key) => {
      expect([...keyedOrder(Int32Array.from(given), ...key)]).toEqual(oneByOne(given, key));
    }),
  );
});

test("what is ordered stays as it is", () => {
  const ids = Int32Array.from({ length: 1000 }, (_, i) => i);
  const order = keyedOrder(ids, 7);
  expect(order).not.toEqual(ids);
  expect(ids).toEqual(Int32Array.from({ length: 1000 }, (_, i) => i));
});

test("hashes are those that orders of earlier versions were made by", () => {
  expect([keyedHash(), keyedHash(1, 2 ** 40), keyedHash(3, 1, 4)]).toEqual([3954623016, 2718062209, 3318772966]);
});
