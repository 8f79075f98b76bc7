import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { floatTexts, knownFloatTexts } from "../../src/export/float-texts.ts";

describe("texts of float32 numbers", () => {
  it("read as the same bits, whatever the number, and as JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 50 }), (numbers) => {
        const values = Float32Array.from(numbers);
        const read = Float32Array.from(floatTexts(values, 1, ","), (text) => JSON.parse(text) as number);
        expect(new Uint32Array(read.buffer)).toEqual(new Uint32Array(values.buffer));
      }),
      { numRuns: 500 },
    );
  });

  it("are no longer than the shortest decimals, which have at most nine digits", () => {
    const values = Float32Array.of(0.1, 1 / 3, 1, -0.5, 16_777_216, 1e-5, 3.4028235e38);
    expect(floatTexts(values, 1, ",")).toEqual([
      "0.1",
      "0.33333334",
      "1",
      "-0.5",
      "16777216",
      "1e-05",
      "3.4028235e+38",
    ]);
  });

  it("stand in rows, with a sign between those of a row", () => {
    expect(floatTexts(Float32Array.of(1, 2, 3, 4, 5, 6), 3, ";")).toEqual(["1;2;3", "4;5;6"]);
    expect(floatTexts(new Float32Array(), 3, ",")).toEqual([]);
  });

  it("name what is not finite, and what is not known as the file has it", () => {
    const values = Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2);
    expect(floatTexts(values, 2, ",")).toEqual(["NaN,Infinity", "-Infinity,2"]);
    expect(knownFloatTexts(values, "")).toEqual(["", "Infinity", "-Infinity", "2"]);
  });
});
