import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnTypeOf } from "../../src/io/column-type.ts";
import { detectDecimalSign, withDecimalPoint } from "../../src/io/dialect/decimal-sign.ts";

describe("the sign before fractions", () => {
  test.each([
    ["a number below one", ["0,5", "3"], ","],
    ["one without its zero", [",5"], ","],
    ["a negative one", ["-1,25"], ","],
    ["an exponent", ["1,5e-3"], ","],
    ["four digits behind it", ["1,2345"], ","],
    ["three digits behind a zero", ["0,125"], ","],
    ["points", ["1.5", "2"], "."],
    ["points and commas", ["1.5", "2,5"], "."],
    ["thousands", ["1,234", "12,000"], "."],
    ["millions beside what may be decimals", ["1,234,567", "2,5"], "."],
    ["whole numbers", ["1", "2"], "."],
    ["words", ["a,b", "c"], "."],
    ["nothing", [], "."],
  ])("of %s is told", (_title, fields, decimal) => {
    expect(detectDecimalSign(fields).decimal).toBe(decimal);
  });

  test("is doubted where the cells may hold pairs, and where it is not, a reason says so", () => {
    expect(detectDecimalSign(["3,7", "12,4"])).toMatchObject({
      reason: null,
      doubt: expect.stringContaining("3,7 as 3.7"),
    });
    expect(detectDecimalSign(["3,7", "0,4"])).toMatchObject({ reason: expect.stringContaining("0,4"), doubt: null });
  });

  test("changes the number that a text stands for in nothing but the sign", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = String(value).replace(".", ",");
        expect(Number(withDecimalPoint(written, ","))).toBe(value === 0 ? 0 : value);
        expect(columnTypeOf([written, "0,5"], ",")).toBe("double");
      }),
    );
  });

  test("makes no number of a text that has the other sign", () => {
    expect(columnTypeOf(["1.234", "0,5"], ",")).toBe("text");
    expect(columnTypeOf(["1,5"], ".")).toBe("text");
    expect(Number(withDecimalPoint("1.234,5", ","))).toBeNaN();
  });
});
