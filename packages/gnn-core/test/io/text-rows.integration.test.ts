import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCsv } from "../../src/io/csv/open-csv.ts";
import { IdIndex } from "../../src/io/ingest/id-index.ts";
import { defaultReadingLimits as limits } from "../../src/io/limits/reading-limits.ts";
import { scanTextIds } from "../../src/io/scan-text-ids.ts";
import type { TextIdBatch } from "../../src/io/table-source.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep, temporaryDir } from "../support/run-step.ts";

const shape = { delimiter: ",", comment: "", header: false, numColumns: 2, ids: [0, 1], numbers: [] };

function textsOf({ bytes, offsets }: TextIdBatch): string[] {
  const buffer = Buffer.from(bytes);
  return Array.from({ length: offsets.length - 1 }, (_, i) => buffer.toString("utf8", offsets[i], offsets[i + 1]));
}

/** Rows that the fast way took, and whether those were all. */
async function scan(text: string | Uint8Array, options: object = {}, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].toSorted((a, b) => a - b);
  const chunks = ends.slice(1).map((end, i) => new Uint8Array(bytes.subarray(ends[i], end)));
  const rows: string[][] = [];
  const odd: number[] = [];
  const batches = scanTextIds(asyncOf(chunks), { ...shape, ...options });
  for (;;) {
    const next = await batches.next();
    if (next.done) return { rows, odd, isWhole: next.value };
    const texts = textsOf(next.value);
    odd.push(...Array.from(next.value.odd, (row) => row + rows.length));
    for (let i = 0; i < next.value.numRows; i++) rows.push(texts.slice(2 * i, 2 * i + 2));
  }
}

async function* asyncOf<T>(values: readonly T[]): AsyncIterable<T> {
  yield* values;
}

/** What every reader of text takes for an id, blanks around it and all. */
const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[",\r\n\0\ufeff]/.test(text) && text.trim() !== ""),
  fc.constantFrom("7", "007", "-0", "3.0", "#tag", " padded ", "Zürich", "🦉", "日本", "a b", "9007199254740993"),
);

describe("the fast way through text ids", () => {
  it("takes ids without the blanks around them, however the file is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(id, id), { maxLength: 20 }),
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.nat(2000), { maxLength: 6 }),
        async (rows, end, cuts) => {
          const { rows: found, isWhole } = await scan(rows.map((row) => row.join(",")).join(end), {}, cuts);
          const expected = rows.map((row) => row.map((text) => text.trim()));
          // It may stop early, at a blank that is no ASCII; what it took is right.
          expect(found).toEqual(expected.slice(0, found.length));
          if (!isWhole)
            expect(rows[found.length]!.join()).toMatch(/^[^\x20-\x7e]|[^\x20-\x7e]$|[^\x20-\x7e],|,[^\x20-\x7e]/u);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("tells of rows that look like comments and of ids that are whole numbers with a fraction", async () => {
    const text = "a,b\n#a,b\na,#b\n%a,b\n//a,b\n/a,b\n3.0,b\na,4.0\n.0,a\n3.00,a\n";
    expect((await scan(text)).odd).toEqual([1, 3, 4, 6, 7]);
  });

  it.each([
    ["a quote", 'a,"b"\n'],
    ["an empty id", "a,\n"],
    ["an id of blanks", "a,  \n"],
    ["too few fields", "a\n"],
    ["too many fields", "a,b,c\n"],
    ["a zero byte", "a,b\0\n"],
    ["a lone carriage return", "a,b\rc,d\n"],
    ["a no-break space at an end", "a,\u00a0b\n"],
    ["an ideographic space at an end", "a,b\u3000\n"],
    ["the mark of byte order", "\ufeffa,b\n"],
    ["a byte that is not UTF-8", Uint8Array.from([0x61, 0x2c, 0xe9, 0x0a])],
    ["half of a surrogate pair", Uint8Array.from([0x61, 0x2c, 0xed, 0xa0, 0x80, 0x0a])],
    ["a character in more bytes than it needs", Uint8Array.from([0x61, 0x2c, 0xc0, 0xaf, 0x0a])],
    ["a character that is cut off", Uint8Array.from([0x61, 0x2c, 0xe2, 0x82])],
  ])("stops at %s", async (_, text) => {
    const first = Buffer.from("x,y\n");
    expect(await scan(Buffer.concat([first, Buffer.from(text)]))).toEqual({
      rows: [["x", "y"]],
      odd: [],
      isWhole: false,
    });
  });

  it("gives the rows that the general reader gives", async () => {
    const path = join(await temporaryDir("texts"), "e.csv");
    await writeFile(path, "src,w,dst\nZürich,0.5,a b\n007,-2,7\n 🦉 ,1e-3,#x\n");
    const table = await openCsv(path, { delimiter: ",", header: true }, "e.csv", limits);
    const general: unknown[] = [];
    for await (const { columns } of table.read([
      { name: "src", as: "text" },
      { name: "dst", as: "text" },
      { name: "w", as: "number" },
    ])) {
      for (const [i, src] of columns[0]!.entries())
        general.push([String(src).trim(), String(columns[1]![i]).trim(), columns[2]![i]]);
    }
    const { value } = await table.readTextIds!(["src", "dst"], ["w"]).next();
    await table.close();
    const texts = textsOf(value as TextIdBatch);
    const numbers = (value as TextIdBatch).numbers[0]!;
    expect(general).toHaveLength(3);
    expect(Array.from(numbers, (w, i) => [texts[2 * i], texts[2 * i + 1], w])).toEqual(general);
  });
});

describe("IdIndex", () => {
  it("gives the ends of packed rows the indices that it gives their ids one by one", async () => {
    const some = fc.oneof(
      fc.integer({ min: -5, max: 40 }).map(String),
      fc.constantFrom("a", "b", "c", "007", "-0", "é"),
    );
    const batches = fc.array(fc.array(fc.tuple(some, some), { minLength: 1, maxLength: 20 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, fc.boolean(), async (all, isAdding) => {
        const [packed, single] = [new IdIndex(), new IdIndex()];
        for (const index of [packed, single]) for (const known of ["a", "7"]) index.add(known);
        for (const rows of all) {
          const texts = rows.flat().map((text) => Buffer.from(text));
          const offsets = new Uint32Array(texts.length + 1);
          texts.forEach((text, i) => (offsets[i + 1] = offsets[i]! + text.length));
          const bytes = new Uint8Array(Buffer.concat(texts));
          const batch = { numRows: rows.length, bytes, offsets, numbers: [], odd: new Int32Array() };
          const { src, dst } = packed.relabelTexts(batch, isAdding);
          const expected = rows.flat().map((text) => {
            const index = single.indexOf(text);
            return index < 0 && isAdding ? single.add(text) : index;
          });
          expect(rows.flatMap((_, row) => [src[row], dst[row]])).toEqual(expected);
        }
        expect([...packed.ids()]).toEqual([...single.ids()]);
        expect(packed.isInt64).toBe(single.isInt64);
      }),
    );
  });

  it("holds more texts than its table first has room for, and finds each", () => {
    const index = new IdIndex();
    const ids = Array.from({ length: 200_000 }, (_, i) => `customer-${i.toString(36)}`);
    for (const text of ids) index.add(text);
    expect(ids.every((text, i) => index.indexOf(text) === i)).toBe(true);
    expect([...index.ids()]).toEqual(ids);
    expect(index.indexOf("customer-")).toBe(-1);
  });
});

describe("a file whose ids are quoted, which only the general reader takes, and the same file without quotes", () => {
  const rows = [
    ["src", "dst"],
    ["#one", "Zürich"],
    ["3.0", "3"],
    ["7", "007"],
    ["src", "dst"],
    ["a b", "a b"],
    ["3", "unknown"],
    ["7", "007"],
    ["Zürich", "7"],
  ];
  const nodes = `id\n${[...new Set(rows.flat())].filter((text) => text !== "unknown").join("\n")}\n`;
  const write = (quote: string) => rows.map((row) => row.map((text) => quote + text + quote).join(",")).join("\n");
  const specs: readonly (readonly [string, object, boolean])[] = [
    ["without a file of nodes", {}, false],
    ["with one, edges of unknown nodes dropped", { missingNodes: "drop" }, true],
    ["with one, unknown nodes added", { missingNodes: "add" }, true],
  ];

  it.each(specs)("become the same graph with the same report, %s", async (_, rules, hasNodes) => {
    const made = await Promise.all(
      ["", '"'].map(async (quote) => {
        const files = await filesArtifact({ "edges.csv": write(quote), ...(hasNodes && { "nodes.csv": nodes }) });
        const options = {
          edges: { files: ["edges.csv"], src: "src", dst: "dst" },
          ...(hasNodes && { nodes: { files: ["nodes.csv"], id: "id" } }),
          ...rules,
        };
        return runStep(ingestStep, { files }, options);
      }),
    );
    const [fast, general] = made as [(typeof made)[0], (typeof made)[0]];
    expect(fast.manifest.info).toEqual(general.manifest.info);
    expect(JSON.stringify(fast.manifest.info)).toMatch(/repeats? the names/);
    // Their digests are among what a manifest says of its arrays.
    expect(fast.manifest.blobs).toEqual(general.manifest.blobs);
  });

  it.each([
    ["texts", ["ann", "bob", "#c"], ["p one", "Zürich", "p.0"]],
    ["integers", ["1", "2", "3"], ["7", "1", "2"]],
    ["integers and texts", ["1", "2", "x"], ["7", "ann", "2"]],
  ])("become the same typed graph, whose relation joins nodes of two tables: %s", async (_, authors, papers) => {
    const wrote = [
      ...authors.map((author, i) => [author, papers[i]!]),
      [authors[0]!, papers[2]!],
      [papers[0]!, "no one"],
    ];
    const made = await Promise.all(
      ["", '"'].map(async (quote) => {
        const rows = wrote.map((row) => row.map((text) => quote + text + quote).join(","));
        const files = await filesArtifact({
          "writes.csv": `author,paper\n${rows.join("\n")}\n`,
          "author.csv": `id\n${authors.join("\n")}\n`,
          "paper.csv": `id\n${papers.join("\n")}\n`,
        });
        const relation = { source: "author", name: "writes", target: "paper", files: ["writes.csv"] };
        const nodes = (type: string) => ({ files: [`${type}.csv`], id: "id" });
        return runStep(
          ingestStep,
          { files },
          {
            nodeTypes: { author: nodes("author"), paper: nodes("paper") },
            relations: [{ ...relation, src: "author", dst: "paper" }],
            missingNodes: "drop",
          },
        );
      }),
    );
    const [fast, general] = made as [(typeof made)[0], (typeof made)[0]];
    expect(fast.manifest.info).toEqual(general.manifest.info);
    expect(fast.manifest.info).toMatchObject({ numNodes: 6, report: { edgeRows: 5, danglingIds: expect.any(Number) } });
    expect(fast.manifest.blobs).toEqual(general.manifest.blobs);
  });
});
