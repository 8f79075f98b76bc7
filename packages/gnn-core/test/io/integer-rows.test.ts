import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openCsv } from "../../src/io/csv/open-csv.ts";
import { openEdgeList } from "../../src/io/edge-list/open-edge-list.ts";
import { shortInteger } from "../../src/io/ingest/integer-table.ts";
import { defaultReadingLimits as limits } from "../../src/io/limits/reading-limits.ts";
import { openParquet } from "../../src/io/parquet/open-parquet.ts";
import { scanIntegerText } from "../../src/io/scan-integer-text.ts";
import type { TableSource } from "../../src/io/table-source.ts";
import { copyAs } from "../support/duckdb.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-integers-"));
});
afterAll(() => rm(dir, { recursive: true }));

const csvOptions = { delimiter: ",", comment: "", header: false, numColumns: 2, ids: [0, 1], numbers: [] };

/** Rows that the fast way took, as the texts that the numbers print as, and whether those were all. */
async function scan(text: string, options: object = {}, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].toSorted((a, b) => a - b);
  const chunks = ends.slice(1).map((end, i) => new Uint8Array(bytes.subarray(ends[i], end)));
  const rows: string[][] = [];
  const batches = scanIntegerText(asyncOf(chunks), { ...csvOptions, ...options });
  for (;;) {
    const next = await batches.next();
    if (next.done) return { rows, isWhole: next.value };
    const columns = [...next.value.ids, ...next.value.numbers];
    for (let i = 0; i < next.value.numRows; i++) rows.push(columns.map((values) => String(values[i])));
  }
}

async function* asyncOf<T>(values: readonly T[]): AsyncIterable<T> {
  yield* values;
}

const trap = fc.constantFrom(
  "007",
  "+1",
  "-0",
  "",
  "1e5",
  '"1"',
  " 1",
  "1 ",
  "9007199254740993",
  "ö",
  "0x1",
  "-",
  "1,2",
);
const plain = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }).map(String),
);
const lineEnd = fc.constantFrom("\n", "\r\n");

describe("the fast way through integer text", () => {
  it("takes lines of short canonical integers up to the first other one, however the file is cut", async () => {
    const field = fc.oneof({ weight: 30, arbitrary: plain }, { weight: 1, arbitrary: trap });
    const line = fc.tuple(field, field).map(([src, dst]) => [src, dst] as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        lineEnd,
        fc.boolean(),
        fc.array(fc.nat(2000), { maxLength: 6 }),
        async (lines, end, endsInBreak, cuts) => {
          const isPlain = lines.map((fields) => fields.every((text) => !Number.isNaN(shortInteger(text))));
          const taken = isPlain.includes(false) ? isPlain.indexOf(false) : lines.length;
          const text = lines.map((fields) => fields.join(",")).join(end) + (endsInBreak && lines.length > 0 ? end : "");
          const expected = { rows: lines.slice(0, taken).map((row) => [...row]), isWhole: taken === lines.length };
          expect(await scan(text, {}, cuts)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("skips a header, blank lines, comments and columns that nobody asked for", async () => {
    expect(await scan("a,b\n1,2\n\n3,4", { header: true })).toEqual({
      rows: [
        ["1", "2"],
        ["3", "4"],
      ],
      isWhole: true,
    });
    const snap = { delimiter: "", comment: "#" };
    const text = "# é\n1\t2\r\n \t\n  3   4\t\n#5 6\n7 8";
    expect((await scan(text, snap)).rows.map((row) => row.join())).toEqual(["1,2", "3,4", "7,8"]);
    const wide = { numColumns: 4, ids: [3, 1], numbers: [] };
    expect(await scan("any text,1,,2\n,3,x y,4\n", wide)).toEqual({
      rows: [
        ["2", "1"],
        ["4", "3"],
      ],
      isWhole: true,
    });
  });

  it("reads numbers as float64, and leaves empty, odd and huge ones to the general reader", async () => {
    const weighted = { numColumns: 3, numbers: [2] };
    const good = ["0.1", "-2", "1e-3", "1.5E2", "-0", "3.4028235e38"];
    const { rows, isWhole } = await scan(good.map((text) => `1,2,${text}`).join("\n"), weighted);
    expect(isWhole).toBe(true);
    expect(rows.map((row) => Number(row[2]))).toEqual(good.map((text) => Number(text) + 0));
    for (const bad of ["", "nan", "inf", "1_0", "+1", " 1", "1.", ".5", "0x1", "3.5e38", "1e400", "1e-400"]) {
      expect(await scan(`1,2,3\n1,2,${bad}\n1,2,3`, weighted)).toEqual({ rows: [["1", "2", "3"]], isWhole: false });
    }
  });

  it.each([
    ["a quoted header, which may hold a line break", '"a\nb",c\n1,2\n', { header: true }],
    ["too few columns", "1\n", {}],
    ["too many columns", "1,2,3\n", {}],
    ["a zero byte", "1,2\0\n", {}],
    ["a lone carriage return", "1,2\r3,4\n", {}],
    ["sixteen digits", "1,1000000000000000\n", {}],
  ])("stops at %s", async (_, text, options) => {
    expect(await scan(text, options)).toEqual({ rows: [], isWhole: false });
  });
});

test("a line of more than 16 MiB is left to the reader that knows what to say of it, and is not held", async () => {
  const long = new Uint8Array(2 ** 20).fill(0x31);
  const taken = scanIntegerText(asyncOf([Buffer.from("1,2\n"), ...Array.from({ length: 40 }, () => long)]), csvOptions);
  expect((await taken.next()).value).toMatchObject({ numRows: 1 });
  expect(await taken.next()).toEqual({ done: true, value: false });
});

type Reader = (path: string) => Promise<TableSource>;

describe("both ways through a file give the same rows", () => {
  const readers: readonly (readonly [string, string, Reader])[] = [
    ["CSV", "src,dst,w\n", (path) => openCsv(path, { delimiter: ",", header: true }, "e.csv", limits)],
    ["edge list", "", (path) => openEdgeList(path, { comment: "#" }, "e.txt", limits)],
  ];
  it.each(readers)("%s", async (kind, header, open) => {
    const delimiter = header === "" ? " " : ",";
    const row = fc.tuple(plain, plain, fc.float({ noNaN: true, noDefaultInfinity: true }).map(String));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const path = join(dir, kind);
        await writeFile(path, header + rows.map((fields) => fields.join(delimiter)).join("\n"));
        await bothWays(await open(path), header === "" ? "column3" : "w");
      }),
      { numRuns: 8 },
    );
  });

  it("Parquet, and none of it when an id is empty, longer than 15 digits, or text", async () => {
    const select = "SELECT range AS src, -range::INTEGER AS dst, range / 3 AS w FROM range(5000)";
    const path = await copyAs("parquet", select);
    await bothWays(await openParquet(path, "e.parquet", limits), "w");
    for (const src of ["NULL::BIGINT", "1000000000000000", "'7'"]) {
      const table = await openParquet(await copyAs("parquet", `SELECT ${src} AS src, 1 AS dst`), "e.parquet", limits);
      expect(await table.readIntegers!(["src", "dst"], []).next()).toEqual({ done: true, value: false });
      await table.close();
    }
  });

  async function bothWays(table: TableSource, weight: string): Promise<void> {
    const texts: unknown[][] = [[], [], []];
    const columns = ["src", "dst", weight].map((name, i) => ({
      name,
      as: i < 2 ? ("text" as const) : ("number" as const),
    }));
    for await (const batch of table.read(columns)) batch.columns.forEach((values, i) => texts[i]!.push(...values));
    const integers: unknown[][] = [[], [], []];
    const fast = table.readIntegers!(["src", "dst"], [weight]);
    for (;;) {
      const next = await fast.next();
      if (next.done) {
        expect(next.value).toBe(true);
        break;
      }
      next.value.ids.forEach((values, i) => integers[i]!.push(...Array.from(values, String)));
      integers[2]!.push(...next.value.numbers[0]!);
    }
    await table.close();
    expect(integers).toEqual(texts);
  }
});
