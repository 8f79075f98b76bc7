import { join } from "node:path";
import { splitCodes } from "../io/ingest/split-words.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import type { PredictionColumn } from "../tasks/known-nodes.ts";
import { exportEdgeTable, exportPairTables } from "./export-pair-tables.ts";
import { type ExportSources, fileName } from "./export-sources.ts";
import { knownFloatTexts } from "./float-texts.ts";
import { loaderLines } from "./loader-lines.ts";
import { idTexts } from "./node-ids.ts";
import { batchRowsOf, columnsOfTask, type PredictionBatch, predictionBatches } from "./result-batches.ts";
import { type LoaderFormat, predictionText } from "./text-rows.ts";
import { csvField, writeLines } from "./write-csv.ts";

export type PredictionFormat = "parquet" | "csv" | "arrow" | LoaderFormat;

/**
 * Writes the predictions in one format: of tasks on nodes id, split and the task's columns; of tasks on links the new
 * neighbours of every node, and beside them the held-out pairs; of tasks on labelled edges a row for each of them; of
 * tasks that predict nothing, no file.
 *
 * @returns the files written
 */
export async function exportPredictions(
  sources: ExportSources,
  format: PredictionFormat,
): Promise<ManifestDraft["blobs"]> {
  if (sources.recommended) return exportPairTables({ ...sources, recommended: sources.recommended }, format);
  if (sources.edges) return exportEdgeTable({ ...sources, edges: sources.edges }, format);
  if ((await columnsOfTask(sources)) === null) return [];
  const name = fileName("predictions", format, sources.only);
  const path = join(sources.outDir, name);
  const batches = predictionBatches(sources, `write ${name}`);
  if (format === "csv") await writeLines(path, csvLines(batches));
  else if (format === "parquet" || format === "arrow") await writeColumnar(path, format, batches);
  else await writeLines(path, loaderLines(sources, { name, format, key: ["id"] }, textOf(batches)));
  return [{ name }];
}

async function* textOf(batches: AsyncIterable<PredictionBatch>) {
  for await (const batch of batches) yield predictionText(batch);
}

async function writeColumnar(path: string, format: "parquet" | "arrow", batches: AsyncIterable<PredictionBatch>) {
  const { predictionArrow } = await import("./arrow-batches.ts");
  const { writeArrow } = await import("./write-arrow.ts");
  const { writeParquet } = await import("./write-parquet.ts");
  async function* arrow() {
    for await (const batch of batches) yield predictionArrow(batch);
  }
  if (format === "arrow") await writeArrow(path, arrow());
  else await writeParquet(path, arrow(), batchRowsOf(1));
}

async function* csvLines(batches: AsyncIterable<PredictionBatch>): AsyncIterable<string> {
  const splitNames = Object.keys(splitCodes);
  let isFirst = true;
  for await (const { ids, split, columns } of batches) {
    if (isFirst) yield `${["id", "split", ...columns.map(({ name }) => name)].map(csvField).join(",")}\n`;
    isFirst = false;
    const cells = columns.map(cellsOf);
    const lines = idTexts(ids).map((id, row) => {
      const known = cells.map((column) => column[row]!);
      return `${[csvField(id), splitNames[split[row]!], ...known].join(",")}\n`;
    });
    yield lines.join("");
  }
}

/** What is not known is an empty cell; a known text without a character is two quotes. */
function cellsOf(column: PredictionColumn): readonly string[] {
  if (column.type === "text") return column.values.map((text) => (text === null ? "" : csvField(text)));
  return knownFloatTexts(column.values, "");
}
