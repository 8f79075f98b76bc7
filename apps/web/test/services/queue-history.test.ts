import { expect, test } from "vitest";
import { shareHeld } from "../../src/services/queue-history.ts";

const noon = Date.parse("2026-11-24T12:00:00Z");

test("of a whole day its 24 hours count, of today those that are over", () => {
  expect(shareHeld("2026-11-23", 12, 2, noon)).toBe(0.25);
  expect(shareHeld("2026-11-24", 12, 2, noon)).toBe(0.5);
});

test("more than the workers of today offer is all of it, and without a worker there is no share", () => {
  expect(shareHeld("2026-11-23", 100, 2, noon)).toBe(1);
  expect(shareHeld("2026-11-23", 12, 0, noon)).toBeNull();
});
