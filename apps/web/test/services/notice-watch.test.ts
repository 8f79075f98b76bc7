import { expect, test } from "vitest";
import { newestOf, newSince, pathOfNotice } from "../../src/services/notice-watch.ts";

const notices = [7, 5, 4].map((number) => ({ number, message: "", jobId: "j", sweepId: null }));

test("what was there when the page was opened is not told again, what comes later is, in its order", () => {
  expect(newSince(null, notices)).toEqual([]);
  expect(newSince(4, notices).map(({ number }) => number)).toEqual([5, 7]);
  expect(newSince(7, notices)).toEqual([]);
  expect([newestOf(notices), newestOf([])]).toEqual([7, 0]);
});

test("a notice leads to its job, or to the sweep that has ended", () => {
  expect(pathOfNotice({ jobId: "j", sweepId: null })).toBe("/jobs/j");
  expect(pathOfNotice({ jobId: null, sweepId: "s" })).toBe("/sweeps/s");
  expect(pathOfNotice({ jobId: "j", sweepId: "s" })).toBe("/sweeps/s");
});
