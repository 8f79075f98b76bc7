import { expect, test } from "vitest";
import { shownTimeZone, timeWriter } from "../../src/services/time-zone.ts";

test("times are those of the browser's zone until UTC is chosen; what else is stored chooses nothing", () => {
  const shelf = (text: string | null) => ({ getItem: () => text, setItem: () => undefined });
  expect(shownTimeZone(shelf(null))).toBeUndefined();
  expect(shownTimeZone(shelf("local"))).toBeUndefined();
  expect(shownTimeZone(shelf("<b>"))).toBeUndefined();
  expect(shownTimeZone(null)).toBeUndefined();
  expect(shownTimeZone(shelf("UTC"))).toBe("UTC");
});

test("a time in UTC says so, and is the one that its ISO text has", () => {
  const write = timeWriter({ dateStyle: "medium", timeStyle: "short" }, "UTC");
  expect(write(Date.parse("2026-11-24T23:05:06.000Z"))).toBe("24 Nov 2026, 23:05 UTC");
});
