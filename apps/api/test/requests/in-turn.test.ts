import { expect, it } from "vitest";
import { inTurn } from "../../src/requests/in-turn.ts";

function computeFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("lets others have their turn between pieces of work that come all at once, and keeps their order", async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const done: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) =>
      inTurn(() => {
        computeFor(5);
        done.push(i);
      }),
    ),
  );
  clearInterval(counting);
  expect(done).toEqual(Array.from({ length: 40 }, (_, i) => i));
  // 200 ms of work; in one go it would have been none.
  expect(turns).toBeGreaterThanOrEqual(5);
});

it("hands on what the work returns or throws", async () => {
  computeFor(20);
  expect(await inTurn(() => 1)).toBe(1);
  expect(await inTurn(async () => 2)).toBe(2);
  computeFor(20);
  const failing = Promise.all([
    inTurn(() => computeFor(20)),
    inTurn<never>(() => {
      throw new Error("no");
    }),
  ]);
  await expect(failing).rejects.toThrow("no");
});
