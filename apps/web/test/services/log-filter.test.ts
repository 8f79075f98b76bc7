import { expect, test } from "vitest";
import { type LogFilter, type LogLine, memberLabel, memberOf, passesFilter } from "../../src/services/log-filter.ts";
import { emptyJob } from "../support/job-fixture.ts";

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
const everything: LogFilter = { level: "debug", member: null, search: "" };
const passes = (filter: Partial<LogFilter>) =>
  passesFilter(line, { stage: "train", member: "1" }, { ...everything, ...filter });

test("a line passes at its own level and below", () => {
  expect([passes({ level: "debug" }), passes({ level: "info" }), passes({ level: "warn" })]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a rank shows its own lines, rank 0 too", () => {
  expect([passes({ member: "1" }), passes({ member: "0" })]).toEqual([true, false]);
});

test("the search looks into message, fields, rank and stage, in any case", () => {
  const found = ["epoch FINISHED", "epoch 12", "rank 1", "train", "  "].map((search) => passes({ search }));
  expect(found).toEqual([true, true, true, true, true]);
  expect(passes({ search: "checkpoint" })).toBe(false);
});

test("a line of a sampler process has its name, where the attempt has so few ranks, and never a rank's number", () => {
  const { ranks } = emptyJob;
  const [rank] = ranks;
  const members = [...ranks, { ...rank!, attempt: 3, rank: 1, name: "sampler 0" }];
  const names = [2, 3, 4].map((attempt) => memberOf({ attempt, rank: 1 }, members));
  expect(names).toEqual(["1", "sampler 0", "1"]);
  expect(names.map(memberLabel)).toEqual(["rank 1", "sampler 0", "rank 1"]);
  const sampler = { stage: "train", member: "sampler 0" };
  expect(passesFilter(line, sampler, { ...everything, search: "rank 1" })).toBe(false);
  expect(passesFilter(line, sampler, { ...everything, search: "sampler 0" })).toBe(true);
});
