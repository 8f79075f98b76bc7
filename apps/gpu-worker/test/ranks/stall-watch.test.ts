import type { Member } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { parsePulse, StallWatch } from "../../src/ranks/stall-watch.ts";

const rank = (index: number): Member => ({ kind: "rank", index });
const still = { advance: 5, isInCollective: false, cpuMs: 0 };

test("a rank that beats without advancing stands still, until it goes on", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  for (const now of [0, 5000, 9999]) {
    watch.observe(rank(0), still, now);
    expect(watch.stalls(now)).toEqual([]);
  }
  watch.observe(rank(0), still, 12_000);
  expect(watch.stalls(12_000)).toEqual([{ member: rank(0), kind: "still", ms: 12_000 }]);
  watch.observe(rank(0), { ...still, advance: 6 }, 12_500);
  expect(watch.stalls(12_500)).toEqual([]);
});

test("a rank that waits for its peers is not the one that stands still", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  for (const now of [0, 15_000]) {
    watch.observe(rank(0), { ...still, isInCollective: true }, now);
    watch.observe(rank(1), still, now);
  }
  expect(watch.stalls(15_000)).toEqual([{ member: rank(1), kind: "still", ms: 15_000 }]);
});

test("a rank without a pulse is silent, also while it waits for its peers", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  watch.observe(rank(0), { ...still, isInCollective: true }, 0);
  expect(watch.stalls(9999)).toEqual([]);
  expect(watch.stalls(10_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
});

test("a rank that is known to live is silent when no pulse comes, and still when none of them advances", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  watch.expect(rank(0), 0);
  expect(watch.stalls(9999)).toEqual([]);
  expect(watch.stalls(10_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
  watch.expect(rank(0), 11_000);
  watch.observe(rank(0), still, 12_000);
  watch.observe(rank(0), still, 23_000);
  expect(watch.stalls(23_000)).toEqual([{ member: rank(0), kind: "still", ms: 11_000 }]);
});

test("a rank that loads may take longer before its first pulse, and before its first work", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  const patience = { silentMs: 60_000, stillMs: 60_000 };
  for (const index of [0, 1, 2, 3]) watch.expect(rank(index), 0, patience);
  watch.hear(rank(1), 30_000);
  for (const now of [30_000, 45_000, 55_000]) watch.observe(rank(2), still, now);
  watch.observe(rank(3), still, 30_000);
  expect(watch.stalls(39_999)).toEqual([]);
  expect(watch.stalls(42_000)).toEqual([
    { member: rank(1), kind: "silent", ms: 12_000 },
    { member: rank(3), kind: "silent", ms: 12_000 },
  ]);
  for (const now of [65_000, 75_000, 85_000, 90_000]) watch.observe(rank(2), still, now);
  expect(watch.stalls(90_000)).toContainEqual({ member: rank(0), kind: "silent", ms: 90_000 });
  const neverWorked = { member: rank(2), kind: "still", ms: 60_000 };
  expect(watch.stalls(90_000), "it beats, and never worked").toContainEqual(neverWorked);
});

test("once it has worked, a rank that loaded has no more patience than another", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  watch.expect(rank(0), 0, { silentMs: 60_000, stillMs: 60_000 });
  watch.observe(rank(0), still, 20_000);
  watch.observe(rank(0), { ...still, advance: 6 }, 25_000);
  watch.observe(rank(0), { ...still, advance: 6 }, 34_999);
  expect(watch.stalls(34_999)).toEqual([]);
  watch.observe(rank(0), { ...still, advance: 6 }, 35_000);
  expect(watch.stalls(35_000)).toEqual([{ member: rank(0), kind: "still", ms: 10_000 }]);
});

test("where one call may take long, a rank that computes stands not still, and one that waits does", () => {
  const computing = new StallWatch({ stallMs: 10_000, between: "computing" });
  const training = new StallWatch({ stallMs: 10_000, between: "nothing" });
  for (const watch of [computing, training]) {
    for (let now = 0; now <= 30_000; now += 500) watch.observe(rank(0), { ...still, cpuMs: now * 0.9 }, now);
  }
  expect(computing.stalls(30_000)).toEqual([]);
  expect(training.stalls(30_000)).toEqual([{ member: rank(0), kind: "still", ms: 30_000 }]);
  for (let now = 30_500; now <= 40_000; now += 500) {
    computing.observe(rank(0), { ...still, cpuMs: 27_000 + (now - 30_000) * 0.01 }, now);
  }
  expect(computing.stalls(40_000)).toEqual([{ member: rank(0), kind: "still", ms: 10_000 }]);
});

test("a message counts as work of a rank that is watched, and watches none", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  watch.observe(rank(0), still, 0);
  watch.hear(rank(0), 9000);
  watch.hear(rank(1), 0);
  expect(watch.stalls(18_999)).toEqual([]);
  expect(watch.stalls(19_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
});

test("a rank that has ended is forgotten", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  watch.observe(rank(0), still, 0);
  watch.forget(rank(0));
  expect(watch.stalls(60_000)).toEqual([]);
});

test("a sampler process is another member than the rank of its number", () => {
  const watch = new StallWatch({ stallMs: 10_000, between: "nothing" });
  const sampler: Member = { kind: "sampler", index: 0 };
  watch.observe(rank(0), still, 0);
  watch.observe(sampler, still, 5000);
  expect(watch.stalls(10_000)).toEqual([{ member: rank(0), kind: "silent", ms: 10_000 }]);
  watch.forget(rank(0));
  expect(watch.stalls(15_000)).toEqual([{ member: sampler, kind: "silent", ms: 10_000 }]);
});

test("the newest complete line of the pulse pipe counts", () => {
  expect(parsePulse("1 0 10\n2 1 20\n")).toEqual({ advance: 2, isInCollective: true, cpuMs: 20 });
  expect(parsePulse("1 0 10\n2 1")).toEqual({ advance: 1, isInCollective: false, cpuMs: 10 });
  expect(parsePulse("")).toBeNull();
});
