import { describe, expect, test } from "vitest";
import type { Hdf5Array } from "../../../src/io/hdf5/hdf5-messages.ts";
import { timeUnitOf } from "../../../src/io/hdf5/hdf5-table.ts";
import { type CellValue, cellReader, timeOf } from "../../../src/io/hdf5/table-cells.ts";

/** The values of one row of so many bytes, each from where it begins */
function valueIn(bytes: Uint8Array, descr: string, offset = 0, length: number | null = null): CellValue {
  const itemBytes = Number(/\d+$/.exec(descr)?.[0] ?? 4);
  const read = cellReader({ array: {} as Hdf5Array, descr, offset, itemBytes, length });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return read({ bytes: Buffer.from(bytes), view, texts: ["α", ""], rowBytes: bytes.length, textOffsets: [0, 4] }, 0);
}

const row = (...bytes: readonly number[]) => Uint8Array.from(bytes);

describe("a value of a table", () => {
  test.each<[descr: string, bytes: Uint8Array, value: CellValue]>([
    ["|i1", row(0xff), -1],
    ["|u1", row(0xff), 255],
    [">i2", row(0xff, 0xfe), -2],
    ["<u4", row(1, 0, 0, 0x80), 2 ** 31 + 1],
    ["<i8", row(1, 0, 0, 0, 0, 0, 0x20, 0), "9007199254740993"],
    [">u8", row(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), "18446744073709551615"],
    ["<f4", row(0, 0, 0xc0, 0x7f), null],
    [">f8", row(0x7f, 0xf0, 0, 0, 0, 0, 0, 0), null],
    [">f8", row(0x3f, 0xf8, 0, 0, 0, 0, 0, 0), 1.5],
    ["|b1", row(1), true],
    ["|S4", row(0x61, 0x62, 0, 0x63), "ab"],
    ["|S2", row(0xc3, 0xa4), "ä"],
  ])("of type %s in %o is %o", (descr, bytes, value) => {
    expect(valueIn(bytes, descr)).toBe(value);
  });

  test("is a list where a row has several", () => {
    expect(valueIn(row(9, 1, 2, 3), "|u1", 1, 3)).toEqual([1, 2, 3]);
  });

  test("is the text at its address's place where texts have any length", () => {
    expect(valueIn(new Uint8Array(8), "|O", 0)).toBe("α");
    expect(valueIn(new Uint8Array(8), "|O", 4)).toBe("");
  });

  // https://en.wikipedia.org/wiki/Half-precision_floating-point_format
  test.each([
    [0x0001, 2 ** -24],
    [0x03ff, 1023 * 2 ** -24],
    [0x0400, 2 ** -14],
    [0x3555, 0.333251953125],
    [0xc000, -2],
    [0x7bff, 65_504],
    [0x7c00, null],
    [0x7e00, null],
  ])("in half precision %i is %d", (bits, value) => {
    expect(valueIn(row(bits & 0xff, bits >> 8), "<f2")).toBe(value);
  });
});

describe("a time of a table", () => {
  test.each([
    ["datetime64", "ns"],
    ["datetime64[us]", "us"],
    ["datetime64[s, UTC]", "s"],
    ["int64", null],
    [undefined, null],
  ])("%s counts %s", (type, unit) => {
    expect(timeUnitOf(type)).toBe(unit);
  });

  test("is written as ISO 8601, to the millisecond", () => {
    expect(timeOf("1577934245678901234", "ns")).toBe("2020-01-02T03:04:05.678Z");
    expect(timeOf(-1, "s")).toBe("1969-12-31T23:59:59.000Z");
  });

  test("is none where numpy has none, or the year is beyond what dates are", () => {
    expect(timeOf("-9223372036854775808", "ns")).toBeNull();
    expect(timeOf("9000000000000000", "s")).toBeNull();
  });
});
