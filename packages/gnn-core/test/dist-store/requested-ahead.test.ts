import { expect, test } from "vitest";
import { requestedAhead } from "../../src/dist-store/requested-ahead.ts";

/** Requests that are only sent some promises later, and answered when all of them have run. */
async function answered(sent: number[], i: number): Promise<number> {
  for (let tick = 0; tick < 10; tick++) await Promise.resolve();
  sent.push(i);
  await new Promise(setImmediate);
  return 10 * i;
}

test("when a batch is computed, the rows of the next have been asked for and the one after it is in the making", async () => {
  const made: number[] = [];
  const sent: number[] = [];
  const seen: unknown[] = [];
  const batches = requestedAhead(
    5,
    async (i) => {
      made?.push(i);
      return i;
    },
    (i) => answered(sent, i),
  );
  for await (const { batch, rows } of batches) seen.push([batch, rows, sent?.length, made?.length]);
  expect(seen).toEqual([
    [0, 0, 2, 3],
    [1, 10, 3, 4],
    [2, 20, 4, 5],
    [3, 30, 5, 5],
    [4, 40, 5, 5],
  ]);
});

test("a batch that cannot be made fails when its turn comes, and null ends the rest", async () => {
  const seen: number[] = [];
  const read = async (make: (i: number) => Promise<number> | null) => {
    for await (const { batch } of requestedAhead(4, make, async () => null)) seen.push(batch);
  };
  await expect(read(async (i) => (i < 2 ? i : Promise.reject(new Error("no block"))))).rejects.toThrow("no block");
  expect(seen.splice(0)).toEqual([0, 1]);
  await read((i) => (i < 3 ? Promise.resolve(i) : null));
  expect(seen).toEqual([0, 1, 2]);
});
