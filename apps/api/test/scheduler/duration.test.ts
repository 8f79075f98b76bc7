import { expect, it } from "vitest";
import { durationMs } from "../../src/scheduler/duration.ts";

it.each([
  ["PT2H", 2 * 3_600_000],
  ["PT1H30M", 90 * 60_000],
  ["PT0.5S", 500],
  ["P1DT1S", 86_400_000 + 1000],
  ["P2W", 14 * 86_400_000],
])("%s is %d ms", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

it.each(["", "2h", "PT2X"])("%j is not a duration", (text) => {
  expect(durationMs(text)).toBeNull();
});
