import { expect, test } from "vitest";
import { keptLogLines, withEarlierPage, withLaterLine, withTail } from "../../src/services/job-log.ts";
import type { LogLine } from "../../src/services/log-filter.ts";

const line = (cursor: number): LogLine => ({
  cursor: String(cursor),
  at: "2026-11-20T20:00:00.000Z",
  attempt: 1,
  stageIndex: 1,
  level: "info",
  member: "0",
  message: `line ${cursor}`,
  fields: null,
});
const log = (from: number, to: number, hasPreviousPage = true) => ({
  lines: Array.from({ length: to - from + 1 }, (_, i) => line(from + i)),
  hasPreviousPage,
});

test("earlier pages go before what is there, each line once, until there is no earlier one", () => {
  const two = withEarlierPage(log(7, 9), log(4, 7));
  expect(two).toEqual(log(4, 9));
  expect(withEarlierPage(two, log(1, 3, false))).toEqual(log(1, 9, false));
});

test("a fresh tail keeps the earlier lines that were asked for", () => {
  expect(withTail(log(1, 8, false), log(6, 9))).toEqual(log(1, 9, false));
});

test("a tail that does not meet what is known replaces it: no line is silently missing in between", () => {
  expect(withTail(log(1, 5, false), log(8, 9))).toEqual(log(8, 9));
  expect(withTail(log(1, 5, false), log(1, 0, false))).toEqual(log(1, 0, false));
});

test("a page that has held all it can lets the oldest go, and says that there are earlier ones", () => {
  const full = log(1, keptLogLines, false);
  expect(withLaterLine(full, line(keptLogLines + 1))).toEqual(log(2, keptLogLines + 1));
});
