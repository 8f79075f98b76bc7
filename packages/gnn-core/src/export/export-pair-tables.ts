import { join } from "node:path";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { edgeRows } from "./edge-tables.ts";
import type { EdgeSources, ExportSources } from "./export-sources.ts";
import { knownFloatTexts } from "./float-texts.ts";
import { idTexts } from "./node-ids.ts";
import { heldOutRows, neighborRows, type PairColumn, type PairRows } from "./pair-tables.ts";
import { type LoaderFormat, pairText, textLines } from "./text-rows.ts";
import { csvField, writeLines } from "./write-csv.ts";

const rowGroupRows = 65_536;

type PairFormat = "parquet" | "csv" | "arrow" | LoaderFormat;

/** Writes `predictions.<format>`, the new neighbours of every node, and `pairs.<format>`, the held-out pairs. */
export async function exportPairTables(
  { graph, recommended, outDir, progress }: ExportSources & { readonly recommended: ArtifactDir },
  format: PairFormat,
): Promise<ManifestDraft["blobs"]> {
  const tables = { predictions: neighborRows(graph, recommended), pairs: heldOutRows(graph, recommended) };
  return writeTables(tables, format, { outDir, progress });
}

/** Writes `predictions.<format>`, what is predicted of every edge. */
export async function exportEdgeTable(
  sources: ExportSources & { readonly edges: EdgeSources },
  format: PairFormat,
): Promise<ManifestDraft["blobs"]> {
  return writeTables({ predictions: edgeRows(sources, sources.edges) }, format, sources);
}

async function writeTables(
  tables: Readonly<Record<string, AsyncIterable<PairRows>>>,
  format: PairFormat,
  { outDir, progress }: Pick<ExportSources, "outDir" | "progress">,
): Promise<ManifestDraft["blobs"]> {
  const blobs: { name: string }[] = [];
  for (const [stem, rows] of Object.entries(tables)) {
    const name = `${stem}.${format}`;
    progress.report(`write ${name}`, 0, null, "rows");
    await write(join(outDir, name), format, rows);
    blobs.push({ name });
  }
  return blobs;
}

async function write(path: string, format: PairFormat, rows: AsyncIterable<PairRows>): Promise<void> {
  if (format === "csv") return writeLines(path, csvLines(rows));
  if (format !== "parquet" && format !== "arrow") return writeLines(path, textLines(format, textOf(rows), null));
  const { pairArrow } = await import("./arrow-batches.ts");
  async function* batches() {
    for await (const columns of rows) yield pairArrow(columns);
  }
  if (format === "arrow") return (await import("./write-arrow.ts")).writeArrow(path, batches());
  return (await import("./write-parquet.ts")).writeParquet(path, batches(), rowGroupRows);
}

async function* textOf(rows: AsyncIterable<PairRows>) {
  for await (const columns of rows) yield pairText(columns);
}

async function* csvLines(rows: AsyncIterable<PairRows>): AsyncIterable<string> {
  let isFirst = true;
  for await (const columns of rows) {
    if (isFirst) yield `${columns.map(({ name }) => csvField(name)).join(",")}\n`;
    isFirst = false;
    const cells = columns.map(cellsOf);
    const count = columns[0]?.values.length ?? 0;
    yield Array.from({ length: count }, (_, row) => `${cells.map((column) => column[row]).join(",")}\n`).join("");
  }
}

function cellsOf(column: PairColumn): readonly string[] {
  if (column.type === "ids") return idTexts(column.values).map(csvField);
  // What is not known is an empty cell; a known text without a character is two quotes.
  if (column.type === "float32") return knownFloatTexts(column.values, "");
  if (column.type === "int32") return Array.from(column.values, String);
  return column.values.map((text) => (text === null ? "" : csvField(text)));
}
