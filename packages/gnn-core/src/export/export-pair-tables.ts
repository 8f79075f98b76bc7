import { join } from "node:path";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { edgeRows } from "./edge-tables.ts";
import type { EdgeSources, ExportSources } from "./export-sources.ts";
import { knownFloatTexts } from "./float-texts.ts";
import { loaderLines } from "./loader-lines.ts";
import { idTexts } from "./node-ids.ts";
import { heldOutRows, neighborRows, type PairColumn, type PairRows } from "./pair-tables.ts";
import { type LoaderFormat, pairText } from "./text-rows.ts";
import { csvField, writeLines } from "./write-csv.ts";

const rowGroupRows = 65_536;

type PairFormat = "parquet" | "csv" | "arrow" | LoaderFormat;

/** Writes `predictions.<format>`, the new neighbours of every node, and `pairs.<format>`, the held-out pairs. */
export async function exportPairTables(
  sources: ExportSources & { readonly recommended: ArtifactDir },
  format: PairFormat,
): Promise<ManifestDraft["blobs"]> {
  const { graph, recommended } = sources;
  const neighbors = { stem: "predictions", rows: neighborRows(graph, recommended), key: ["id", "type", "rank"] };
  // A pair may have been drawn several times.
  const pairs = { stem: "pairs", rows: heldOutRows(graph, recommended), key: [] };
  return [await writeTable(neighbors, format, sources), await writeTable(pairs, format, sources)];
}

/** Writes `predictions.<format>`, what is predicted of every edge. */
export async function exportEdgeTable(
  sources: ExportSources & { readonly edges: EdgeSources },
  format: PairFormat,
): Promise<ManifestDraft["blobs"]> {
  // Two nodes may have several edges.
  return [await writeTable({ stem: "predictions", rows: edgeRows(sources, sources.edges), key: [] }, format, sources)];
}

interface PairTable {
  readonly stem: string;
  readonly rows: AsyncIterable<PairRows>;
  /** Columns that, where there are such, tell any two rows apart; none: rows may be alike */
  readonly key: readonly string[];
}

async function writeTable(
  { stem, rows, key }: PairTable,
  format: PairFormat,
  sources: ExportSources,
): Promise<ManifestDraft["blobs"][number]> {
  const name = `${stem}.${format}`;
  const path = join(sources.outDir, name);
  sources.progress.report(`write ${name}`, 0, null, "rows");
  if (format === "csv") await writeLines(path, csvLines(rows));
  else if (format === "parquet" || format === "arrow") await writeColumnar(path, format, rows);
  // Its nodes may be of any types.
  else await writeLines(path, loaderLines({ ...sources, only: null }, { name, format, key }, textOf(rows)));
  return { name };
}

async function writeColumnar(path: string, format: "parquet" | "arrow", rows: AsyncIterable<PairRows>): Promise<void> {
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
