import { expect, test } from "vitest";
import { parsePulse, StallWatch } from "../../src/ranks/stall-watch.ts";

const still = { advance: 5, isInCollective: false };

test("a rank that stands still is named once, and once more when it goes on", () => {
  const watch = new StallWatch(10_000);
  expect(watch.observe(0, still, 0)).toBeNull();
  expect(watch.observe(0, still, 9_999)).toBeNull();
  expect(watch.observe(0, still, 10_000)).toBe("stalled");
  expect(watch.observe(0, still, 20_000)).toBeNull();
  expect(watch.observe(0, { advance: 6, isInCollective: false }, 20_500)).toBe("resumed");
  expect(watch.observe(0, { advance: 6, isInCollective: false }, 30_500)).toBe("stalled");
});

test("a rank that waits for its peers is not the one that stands still", () => {
  const watch = new StallWatch(10_000);
  const waiting = { advance: 5, isInCollective: true };
  watch.observe(0, waiting, 0);
  watch.observe(1, still, 0);
  expect(watch.observe(0, waiting, 15_000)).toBeNull();
  expect(watch.observe(1, still, 15_000)).toBe("stalled");
});

test("the newest complete line of the pulse pipe counts", () => {
  expect(parsePulse("1 0\n2 1\n")).toEqual({ advance: 2, isInCollective: true });
  expect(parsePulse("1 0\n2")).toEqual({ advance: 1, isInCollective: false });
  expect(parsePulse("")).toBeNull();
});
