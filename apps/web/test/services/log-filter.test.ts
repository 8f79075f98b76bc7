import { expect, test } from "vitest";
import { type LogFilter, type LogLine, passesFilter } from "../../src/services/log-filter.ts";

const line: LogLine = {
  cursor: "7",
  at: "2026-11-20T20:00:00.000Z",
  attempt: 1,
  stageIndex: 1,
  level: "info",
  rank: 1,
  message: "Epoch finished",
  fields: { epoch: 12 },
};
const everything: LogFilter = { level: "debug", rank: null, search: "" };
const passes = (filter: Partial<LogFilter>) => passesFilter(line, "train", { ...everything, ...filter });

test("a line passes at its own level and below", () => {
  expect([passes({ level: "debug" }), passes({ level: "info" }), passes({ level: "warn" })]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a rank shows its own lines, rank 0 too", () => {
  expect([passes({ rank: 1 }), passes({ rank: 0 })]).toEqual([true, false]);
});

test("the search looks into message, fields, rank and stage, in any case", () => {
  const found = ["epoch FINISHED", "epoch 12", "rank 1", "train", "  "].map((search) => passes({ search }));
  expect(found).toEqual([true, true, true, true, true]);
  expect(passes({ search: "checkpoint" })).toBe(false);
});
