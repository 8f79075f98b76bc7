import { expect, test } from "vitest";
import { formatCost, limitOf, spanOf } from "../../src/services/use-span.ts";

const none = ["", ""] as const;
const at = new Date("2026-01-02T03:04:05Z");

test("months and days are those of UTC, and those of last month end where this one begins", () => {
  expect(spanOf("month", none, at)).toEqual({ from: "2026-01-01T00:00:00.000Z", to: null });
  const december = { from: "2025-12-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" };
  expect(spanOf("lastMonth", none, at)).toEqual(december);
  expect(spanOf("week", none, at)).toEqual({ from: "2025-12-27T00:00:00.000Z", to: null });
});

test("both days that are named lie within the span, and a span that ends before it begins is none", () => {
  const span = { from: "2026-02-27T00:00:00.000Z", to: "2026-03-01T00:00:00.000Z" };
  expect(spanOf("days", ["2026-02-27", "2026-02-28"], at)).toEqual(span);
  expect(spanOf("days", ["2026-02-28", "2026-02-27"], at)).toBeNull();
  expect(spanOf("days", ["2026-02-28", ""], at)).toBeNull();
});

test("a field without a number sets no limit, and one with other words is told from it", () => {
  expect(["", " ", "4", "2.5", "0", "-1", "many"].map(limitOf)).toEqual([null, null, 4, 2.5, 0, undefined, undefined]);
});

test("a cost has two places and the currency's label", () => {
  expect(formatCost(1234.5, "EUR")).toBe("1,234.50 EUR");
});
