import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { TrainingEnd } from "../../src/train/training-end.ts";

test("ranks that are told at different times, and step at different speeds, end behind the same step", async () => {
  const asked = new AbortController();
  const stepsOf = loopbackGroup(3).map(async (collective, rank) => {
    const end = new TrainingEnd(collective, 10, rank === 1 ? asked.signal : new AbortController().signal);
    let steps = 0;
    do {
      steps += 1;
      if (rank === 1 && steps === 3) asked.abort();
      // Steps of 300 to 500 ms are asked about every other or third time.
      await pause(300 + 100 * rank);
    } while (!(await end.isHere()));
    return [steps, end.isAsked, await end.isLast(1)];
  });
  const [first, ...others] = await Promise.all(stepsOf);
  expect(others).toEqual([first, first]);
  expect(first?.[0]).toBeGreaterThanOrEqual(3);
  expect(first?.slice(1)).toEqual([true, true]);
});

test("unless it is asked for, the end is behind the last epoch", async () => {
  const [collective] = loopbackGroup(1);
  const end = new TrainingEnd(collective!, 3, undefined);
  expect(await end.isHere()).toBe(false);
  expect([await end.isLast(1), await end.isLast(2), await end.isLast(3)]).toEqual([false, false, true]);
  expect(end.isAsked).toBe(false);
});
