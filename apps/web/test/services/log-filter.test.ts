import { expect, test } from "vitest";
import {
  type LogFilter,
  type LogLine,
  memberLabel,
  memberOrder,
  passesFilter,
  searchProblem,
} from "../../src/services/log-filter.ts";

const line: LogLine = {
  cursor: "7",
  at: "2026-11-20T20:00:00.000Z",
  attempt: 1,
  stageIndex: 1,
  level: "info",
  member: "1",
  message: "Epoch finished",
  fields: { epoch: 12 },
};
const everything: LogFilter = { level: "debug", member: null, search: "" };
const passes = (filter: Partial<LogFilter>, member = "1") =>
  passesFilter({ ...line, member }, "train", { ...everything, ...filter });

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

test("a regular expression finds what it means, and says when it is none yet", () => {
  const found = (search: string) => passes({ search, isPattern: true });
  expect([found("epoch 1\\d\\b"), found("^epoch finished"), found("epoch 2\\d")]).toEqual([true, true, false]);
  expect(found("("), "what is no pattern finds nothing").toBe(false);
  expect(searchProblem({ search: "(", isPattern: true })).toBe("This is no regular expression yet.");
  expect(searchProblem({ search: "(", isPattern: false })).toBeNull();
  expect(passes({ search: "(" }), "the same as plain text").toBe(false);
});

test("a sampler process shows its own lines and is found by its name, never by a rank's number", () => {
  expect([passes({ member: "sampler 1" }, "sampler 1"), passes({ member: "1" }, "sampler 1")]).toEqual([true, false]);
  expect([passes({ search: "sampler 1" }, "sampler 1"), passes({ search: "rank 1" }, "sampler 1")]).toEqual([
    true,
    false,
  ]);
});

test("members are offered in their order: ranks by number, then sampler processes", () => {
  const names = ["sampler 1", "10", "2", "sampler 0", "0"].toSorted(memberOrder);
  expect(names.map(memberLabel)).toEqual(["rank 0", "rank 2", "rank 10", "sampler 0", "sampler 1"]);
});
