import type { Member } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { parsePulse, StallWatch } from "../../src/ranks/stall-watch.ts";

const rank = (index: number): Member => ({ kind: "rank", index });
const still = { advance: 5, isInCollective: false };

test("a rank that beats without advancing stands still, until it goes on", () => {
  const watch = new StallWatch(10_000);
  for (const now of [0, 5000, 9999]) {
    watch.observe(rank(0), still, now);
    expect(watch.stalls(now)).toEqual([]);
  }
  watch.observe(rank(0), still, 12_000);
  expect(watch.stalls(12_000)).toEqual([{ member: rank(0), kind: "still", ms: 12_000 }]);
  watch.observe(rank(0), { advance: 6, isInCollective: false }, 12_500);
  expect(watch.stalls(12_500)).toEqual([]);
});

test("a rank that waits for its peers is not the one that stands still", () => {
  const watch = new StallWatch(10_000);
  for (const now of [0, 15_000]) {
    watch.observe(rank(0), { advance: 5, isInCollective: true }, now);
    watch.observe(rank(1), still, now);
  }
  expect(watch.stalls(15_000)).toEqual([{ member: rank(1), kind: "still", ms: 15_000 }]);
});

test("a rank without a pulse is silent, also while it waits for its peers", () => {
  const watch = new StallWatch(10_000);
  watch.observe(rank(0), { advance: 5, isInCollective: true }, 0);
  expect(watch.stalls(9999)).toEqual([]);
  expect(watch.stalls(10_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
});

test("a rank that is known to live is silent when no pulse comes, and still when none of them advances", () => {
  const watch = new StallWatch(10_000);
  watch.expect(rank(0), 0);
  expect(watch.stalls(9999)).toEqual([]);
  expect(watch.stalls(10_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
  watch.expect(rank(0), 11_000);
  watch.observe(rank(0), still, 12_000);
  watch.observe(rank(0), still, 23_000);
  expect(watch.stalls(23_000)).toEqual([{ member: rank(0), kind: "still", ms: 11_000 }]);
});

test("a rank that loads may take longer, but only until its first sign of life", () => {
  const watch = new StallWatch(10_000);
  watch.expect(rank(0), 0, 60_000);
  watch.expect(rank(1), 0, 60_000);
  watch.expect(rank(2), 0, 60_000);
  watch.hear(rank(1), 30_000);
  watch.observe(rank(2), still, 30_000);
  watch.observe(rank(2), still, 45_000);
  expect(watch.stalls(39_999)).toEqual([]);
  expect(watch.stalls(45_000)).toEqual([
    { member: rank(1), kind: "silent", ms: 15_000 },
    { member: rank(2), kind: "still", ms: 15_000 },
  ]);
  expect(watch.stalls(60_000)).toContainEqual({ member: rank(0), kind: "silent", ms: 60_000 });
});

test("a message counts as work of a rank that is watched, and watches none", () => {
  const watch = new StallWatch(10_000);
  watch.observe(rank(0), still, 0);
  watch.hear(rank(0), 9000);
  watch.hear(rank(1), 0);
  expect(watch.stalls(18_999)).toEqual([]);
  expect(watch.stalls(19_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
});

test("a rank that has ended is forgotten", () => {
  const watch = new StallWatch(10_000);
  watch.observe(rank(0), still, 0);
  watch.forget(rank(0));
  expect(watch.stalls(60_000)).toEqual([]);
});

test("a sampler process is another member than the rank of its number", () => {
  const watch = new StallWatch(10_000);
  const sampler: Member = { kind: "sampler", index: 0 };
  watch.observe(rank(0), still, 0);
  watch.observe(sampler, still, 5000);
  expect(watch.stalls(10_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
  watch.forget(rank(0));
  expect(watch.stalls(15_000)).toEqual([{ member: sampler, kind: "silent", ms: 10_000 }]);
});

test("the newest complete line of the pulse pipe counts", () => {
  expect(parsePulse("1 0\n2 1\n")).toEqual({ advance: 2, isInCollective: true });
  expect(parsePulse("1 0\n2")).toEqual({ advance: 1, isInCollective: false });
  expect(parsePulse("")).toBeNull();
});
