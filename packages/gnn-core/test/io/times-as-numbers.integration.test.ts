import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openCsv } from "../../src/io/csv/open-csv.ts";
import { defaultReadingLimits as limits } from "../../src/io/limits/reading-limits.ts";
import { readNpy } from "../../src/io/npy.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep, temporaryDir } from "../support/run-step.ts";
import { seededRandom } from "../support/seeded-random.ts";

vi.setConfig({ testTimeout: 120_000 });

const random = seededRandom(3);
const numRows = 500;
const ends = Array.from({ length: numRows }, () => [Math.floor(random() * 60), Math.floor(random() * 60)] as const);
/** Whole numbers and decimals, some alike, some below zero, and two that float32 would not tell apart. */
const numbers = Array.from({ length: numRows }, (_, i) => {
  if (i % 50 === 0) return "1467331200.25";
  if (i % 50 === 1) return "1467331200.5";
  return i % 3 === 0 ? String(Math.floor(random() * 40) - 20) : String(Math.round(random() * 1e6) / 1000);
});

/** Quotes are what no fast way takes. */
function edgesWith(times: readonly string[], idOf: (node: number) => string, quote = ""): string {
  const rows = ends.map(([src, dst], i) => `${quote}${idOf(src)}${quote},${idOf(dst)},${times[i]},${i % 7}`);
  return `src,dst,time,weight\n${rows.join("\n")}\n`;
}

async function built(text: string, more: object = {}) {
  const edges = { files: ["edges.csv"], src: "src", dst: "dst", time: "time", weight: "weight", ...more };
  return runStep(ingestStep, { files: await filesArtifact({ "edges.csv": text }) }, { edges, directed: true });
}

test.each([
  ["integers", String],
  ["texts", (node: number) => `n${node}`],
])("edges between %s have the times that the general reader gives them, and all else", async (_ids, idOf) => {
  const [fast, general] = [await built(edgesWith(numbers, idOf)), await built(edgesWith(numbers, idOf, '"'))];
  expect(fast.manifest.info).toEqual(general.manifest.info);
  // Their digests are among what a manifest says of its arrays.
  expect(fast.manifest.blobs).toEqual(general.manifest.blobs);
  const places = (await readNpy(join(fast.dir, "edges/time.npy"), "int32")).values;
  expect(new Set(places).size).toBeGreaterThan(numRows / 4);
});

test("such a file is taken whole by the fast way, its times with all their digits", async () => {
  const path = join(await temporaryDir("times"), "edges.csv");
  await writeFile(path, edgesWith(numbers, String));
  const table = await openCsv(path, { delimiter: ",", header: true }, "edges.csv", limits);
  const found: number[] = [];
  const batches = table.readIntegers!(["src", "dst"], ["time", "weight"]);
  for (;;) {
    const next = await batches.next();
    if (next.done) break;
    found.push(...next.value.numbers[0]!);
  }
  await table.close();
  expect(found).toEqual(numbers.map(Number));
});

test("from the first date on the general reader goes on, and what is no time is named with its line", async () => {
  const mixed = numbers.map((time, i) => (i > 300 && i % 5 === 0 ? "2016-07-01T00:00:00Z" : time));
  const [some, general] = [await built(edgesWith(mixed, String)), await built(edgesWith(mixed, String, '"'))];
  expect(some.manifest.blobs).toEqual(general.manifest.blobs);
  for (const wrong of ["soon", "", "1_000"]) {
    const times = numbers.with(400, wrong);
    await expect(built(edgesWith(times, String))).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { file: "edges.csv", line: 402, field: "time" },
    });
  }
});

test("beside a file for each side, times are read as numbers, too", async () => {
  const parts = { "edges.csv": [0, 300], "val.csv": [300, 400], "test.csv": [400, numRows] } as const;
  const split = { files: Object.keys(parts), splitFiles: { val: ["val.csv"], test: ["test.csv"] } };
  const made = ["", '"'].map(async (quote) => {
    const texts = Object.entries(parts).map(([name, [from, to]]) => {
      const rows = ends.slice(from, to).map(([src, dst], i) => `${quote}${src}${quote},${dst},${numbers[from + i]}`);
      return [name, `src,dst,time\n${rows.join("\n")}\n`] as const;
    });
    const files = await filesArtifact(Object.fromEntries(texts));
    return runStep(
      ingestStep,
      { files },
      { edges: { src: "src", dst: "dst", time: "time", ...split }, directed: true },
    );
  });
  const [fast, general] = await Promise.all(made);
  expect(fast!.manifest.blobs).toEqual(general!.manifest.blobs);
  expect(new Set((await readNpy(join(fast!.dir, "edges/split.npy"), "int8")).values)).toEqual(new Set([1, 2, 3]));
});
