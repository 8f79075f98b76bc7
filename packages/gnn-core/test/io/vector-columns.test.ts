import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { defaultReadingLimits } from "../../src/io/limits/reading-limits.ts";
import { listShapeOf, readList } from "../../src/io/list-cells.ts";
import { openParquet } from "../../src/io/parquet/open-parquet.ts";
import type { TableSource } from "../../src/io/table-source.ts";
import { copyAs } from "../support/duckdb.ts";

const opened: { table: TableSource; folder: string }[] = [];

async function parquetOf(select: string): Promise<TableSource> {
  const path = await copyAs("parquet", select);
  const table = await openParquet(path, "nodes.parquet", defaultReadingLimits);
  opened.push({ table, folder: dirname(path) });
  return table;
}

async function vectors(table: TableSource, name: string, width: number): Promise<number[]> {
  const values: number[] = [];
  for await (const { columns } of table.read([{ name, as: "vector", width }]))
    values.push(...(columns[0] as Float64Array));
  return values;
}

afterEach(async () => {
  for (const { table, folder } of opened.splice(0)) {
    await table.close();
    await rm(folder, { recursive: true });
  }
});

describe("lists in the cells of a table", () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 20 });

  it("are read to the bit however they are written", () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom("[a, b]", "a;b", "[a b]", "(a,b)", "{a;b}", "a|b"), (list, form) => {
        const separator = form.includes(", ") ? ", " : form[form.indexOf("a") + 1]!;
        const inside = list.join(separator);
        const cell = /^[[({]/.test(form) ? `${form[0]}${inside}${form.at(-1)}` : inside;
        const into = new Float64Array(list.length + 1);
        expect(readList(cell, list.length, into, 1)).toBeNull();
        expect([...into.subarray(1)]).toEqual(list.map((value) => value + 0));
      }),
    );
  });

  it("of the wrong length, or with anything but decimal numbers, are none", () => {
    const into = new Float64Array(2);
    expect(readList("[1]", 2, into, 0)).toEqual({ kind: "width", found: 1 });
    expect(readList("[]", 2, into, 0)).toEqual({ kind: "width", found: 0 });
    for (const bad of ["0x10", "", "nan", "1_0", "Infinity", "1 2", "true", "1e999"])
      expect(readList(`[1;${bad}]`, 2, into, 0), bad).toEqual({ kind: "number", position: 2, text: bad });
    expect(readList("[[1], [2]]", 2, into, 0)).not.toBeNull();
  });

  it("have a width where all have as many numbers; text and dates are no lists", () => {
    expect(listShapeOf(["[1, 2]", "[3,4.5]"])).toEqual({ width: 2, isWhole: false, areIndices: false });
    expect(listShapeOf(["1;2", "3;4"])).toEqual({ width: 2, isWhole: true, areIndices: false });
    expect(listShapeOf(["[1]", "[1, 2]", "[1]"])).toEqual({ width: null, isWhole: true, areIndices: true });
    const areIndices = (...cells: readonly string[]) => listShapeOf(cells)?.areIndices;
    expect(areIndices("[0, 1, 7]", "[2, 0, 1]"), "as many in each").toBe(false);
    expect(areIndices("[0, 1, 7]", "[2, 0]", "[]"), "some longer than others").toBe(true);
    expect(areIndices("[0, 1]", "[2, 0]", "[]"), "vectors, one of which is missing").toBe(false);
    expect(areIndices("[5, -1]", "[5]"), "below 0").toBe(false);
    expect(areIndices("[5, 1.5]", "[5]"), "a fraction").toBe(false);
    for (const text of ["0.5", "a;b", "2020-01-31", "12:30;14:00", "1,5", "[1, x]", "1|2"])
      expect(listShapeOf([text, text]), text).toBeNull();
  });
});

describe("lists in Parquet", () => {
  it("are vectors whatever numbers they hold, fixed in size or not", async () => {
    const table = await parquetOf(
      `SELECT i AS id, [i / 3, -i, 1e-9]::FLOAT[] AS f, [i / 3, i, 0]::DOUBLE[3] AS d, [i, 1]::BIGINT[] AS n,
        CASE WHEN i % 2 = 0 THEN [i]::INT[] ELSE [i, i] END AS ragged, [[i]] AS nested, ['a'] AS words FROM range(5000) t(i)`,
    );
    const shapes = table.columns.map(({ name, list }) => [name, list?.width]);
    expect(shapes).toEqual([
      ["id", undefined],
      ["f", 3],
      ["d", 3],
      ["n", 2],
      ["ragged", null],
      ["nested", undefined],
      ["words", undefined],
    ]);
    const rows = Array.from({ length: 5000 }, (_, i) => i);
    expect((await vectors(table, "f", 3)).map(Math.fround)).toEqual(
      rows.flatMap((i) => [i / 3, -i + 0, 1e-9].map(Math.fround)),
    );
    expect(await vectors(table, "d", 3)).toEqual(rows.flatMap((i) => [i / 3, i, 0]));
    expect(await vectors(table, "n", 2)).toEqual(rows.flatMap((i) => [i, 1]));
  });

  it("that are missing are NaN throughout; one that is too short, or has a gap, is refused by its row", async () => {
    const table = await parquetOf(
      `SELECT CASE WHEN i = 7 THEN NULL ELSE [i, 0.5] END AS v, CASE WHEN i = 4000 THEN [1.5] ELSE [i, 0.5] END AS short,
        CASE WHEN i = 4000 THEN [1.5, NULL] ELSE [i, 0.5] END AS gap FROM range(5000) t(i)`,
    );
    expect((await vectors(table, "v", 2)).slice(12, 18)).toEqual([6, 0.5, Number.NaN, Number.NaN, 8, 0.5]);
    await expect(vectors(table, "short", 2)).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { file: "nodes.parquet", line: 4001, field: "short" },
    });
    await expect(vectors(table, "gap", 2)).rejects.toThrow(/line 4001, column "gap": "NULL", number 2 of the list/);
  });

  it("are not read as single numbers: the error says what to set", async () => {
    const table = await parquetOf("SELECT [0.5, 1.5] AS v FROM range(3)");
    const reading = async () => {
      for await (const _ of table.read([{ name: "v", as: "number" }]));
    };
    await expect(reading).rejects.toThrow(/a list of 2: say in widths how many numbers the column has in each row/);
  });
});
