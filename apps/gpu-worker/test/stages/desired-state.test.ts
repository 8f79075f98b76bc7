import { expect, test } from "vitest";
import { stopReason } from "../../src/stages/desired-state.ts";

test("a stage goes on while nothing is known of its job, as after a FLUSHALL", () => {
  expect(stopReason(null, 1)).toBeNull();
});

test("a stage goes on in the attempt that holds the token", () => {
  expect(stopReason({ state: "run", attempt: 2 }, 2)).toBeNull();
});

test("a stage of an older attempt is overtaken, cancelled or not", () => {
  expect(stopReason({ state: "run", attempt: 2 }, 1)).toBe("overtaken");
  expect(stopReason({ state: "cancel", attempt: 2 }, 1)).toBe("overtaken");
});

test("a stage whose training is to end goes on", () => {
  expect(stopReason({ state: "endTraining", attempt: 2 }, 2)).toBeNull();
  expect(stopReason({ state: "endTraining", attempt: 2 }, 1)).toBe("overtaken");
});

test("a stage of a cancelled job is cancelled", () => {
  expect(stopReason({ state: "cancel", attempt: 1 }, 1)).toBe("cancelled");
});
