import { AppError } from "@hopwise/contracts";
import { expect, it } from "vitest";
import { literal, quoted } from "../../src/write-backs/sql/identifier.ts";

it("a name stands between quotes, and each quote in it twice", () => {
  expect(quoted('kept"; DROP TABLE kept; --')).toBe('"kept""; DROP TABLE kept; --"');
  expect(quoted("Über.größe $1")).toBe('"Über.größe $1"');
  expect(literal("it's \\' all")).toBe("'it''s \\'' all'");
});

it.each([
  ["nothing", ""],
  ["what PostgreSQL would cut off", "é".repeat(32)],
  ["a byte of zero", "a\0b"],
  ["a line break", "a\nb"],
])("a name of %s is refused", (_, name) => {
  expect(() => quoted(name)).toThrow(AppError);
});
