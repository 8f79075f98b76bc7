import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { tuLabel } from "../dataset-labels.ts";
import { type DatasetSpec, datasetSpec } from "../dataset-spec.ts";
import type { TuSection } from "../graphs-section.ts";
import { GraphNumbering } from "../tu/graph-numbering.ts";
import { type NumberFile, SideBySide } from "../tu/side-by-side.ts";
import { integerOf, numberRows } from "../tu/tu-numbers.ts";
import type { IngestContext } from "./ingest-context.ts";

const csv = { delimiter: ",", comment: "none", encoding: "utf-8", decimal: "." } as const;
const table = { type: "csv", options: { ...csv, header: true } };

/**
 * Brings the files of a TU data set into the form of three tables, a line at a time: the edges are one as they are,
 * those of nodes and graphs are written to the scratch folder. What is wrong in the files is found here, with its
 * place. Morris et al. 2020, TUDataset, arXiv:2007.08663; layout: https://chrsmrrs.github.io/datasets/docs/format.
 *
 * @returns the spec that reads the three tables
 * @throws GnnError those of `numberRows`; DATASET_VALUE_INVALID of an id that jumps; DATASET_ROW_INVALID of files that
 * do not go together
 */
export async function tuTables(context: IngestContext, spec: DatasetSpec, tu: TuSection): Promise<DatasetSpec> {
  const { numGraphs, columns } = await writeNodes(context, tu);
  const file = await writeGraphTable(context, tu, numGraphs);
  const { tu: _, ...others } = spec;
  return datasetSpec.parse({
    ...others,
    edges: {
      files: [tu.edges],
      reader: { type: "csv", options: { ...csv, header: false } },
      src: "column1",
      dst: "column2",
    },
    nodes: { files: [tu.graphIndicator], reader: table, id: "id", graph: "graph", features: featuresOf(columns) },
    graphs: {
      files: [file],
      reader: table,
      id: "graph",
      label: tu.graphLabels === null ? null : tuLabel,
      targets: tu.targets,
      foldFile: tu.foldFile,
    },
  });
}

interface NodeColumns {
  readonly labels: readonly string[];
  readonly attributes: readonly string[];
}

function featuresOf({ labels, attributes }: NodeColumns) {
  if (labels.length + attributes.length === 0) return null;
  return { columns: attributes, ...(labels.length > 0 && { oneHot: labels }) };
}

/** The table of nodes takes the place of DS_graph_indicator.txt, whose lines are its rows. */
async function writeNodes(context: IngestContext, tu: TuSection) {
  const indicator = await numberFile(context, tu.graphIndicator);
  const labelFile = await optional(context, tu.nodeLabels);
  const attributeFile = await optional(context, tu.nodeAttributes);
  const columns = {
    labels: names("label", labelFile ? await widthOf(labelFile) : 0),
    attributes: names("attribute", attributeFile ? await widthOf(attributeFile) : 0),
  };
  const beside = [labelFile, attributeFile].filter((file) => file !== null);
  const rows = new SideBySide(beside, `nodes of ${indicator.name}`);
  const numbering = new GraphNumbering(indicator.name);
  async function* lines() {
    yield ["id", "graph", ...columns.labels, ...columns.attributes];
    for await (const { line, values } of numberRows(indicator.path, indicator.name, 1)) {
      const graph = integerOf(values[0] as number, indicator.name, line);
      numbering.add(graph, line);
      const [first = [], ...more] = await rows.next();
      if (labelFile) for (const label of first) integerOf(label, labelFile.name, line);
      yield [line, graph, ...first, ...more.flat()];
    }
    await rows.end();
  }
  try {
    await writeTable(context, tu.graphIndicator, lines());
  } finally {
    await rows.close();
  }
  return { numGraphs: numbering.numGraphs, columns };
}

/** @returns name of the file whose place the table takes */
async function writeGraphTable(context: IngestContext, tu: TuSection, numGraphs: number): Promise<string> {
  const labelFile = await optional(context, tu.graphLabels);
  const targetFile = await optional(context, tu.graphAttributes);
  if (labelFile) await requireWidth(labelFile, 1);
  if (targetFile) await requireWidth(targetFile, tu.targets.length);
  const files = [labelFile, targetFile].filter((file) => file !== null);
  const rows = new SideBySide(files, `graphs in ${tu.graphIndicator}`);
  async function* lines() {
    yield ["graph", ...(labelFile ? [tuLabel] : []), ...tu.targets];
    for (let graph = 1; graph <= numGraphs; graph++) {
      const values = await rows.next();
      if (labelFile) integerOf(values[0]?.[0] as number, labelFile.name, graph);
      yield [graph, ...values.flat()];
    }
    await rows.end();
  }
  const file = (tu.graphLabels ?? tu.graphAttributes) as string;
  try {
    await writeTable(context, file, lines());
  } finally {
    await rows.close();
  }
  return file;
}

async function writeTable(
  { files, scratchDir, deadline }: IngestContext,
  name: string,
  rows: AsyncIterable<readonly (string | number)[]>,
): Promise<void> {
  const path = join(scratchDir, `table-${randomUUID()}.csv`);
  async function* text() {
    let piece = "";
    for await (const row of rows) {
      piece += `${row.map(cell).join(",")}\n`;
      if (piece.length < 1 << 16) continue;
      deadline.check(name);
      yield piece;
      piece = "";
    }
    yield piece;
  }
  await pipeline(Readable.from(text()), createWriteStream(path));
  files.replace(name, { name, path, bytes: (await stat(path)).size });
}

function cell(value: string | number): string {
  return typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`;
}

function names(stem: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => (count === 1 ? stem : `${stem}${i + 1}`));
}

async function numberFile({ files }: IngestContext, name: string): Promise<NumberFile> {
  const { path } = await files.find(name);
  return { name, path };
}

async function optional(context: IngestContext, name: string | null): Promise<NumberFile | null> {
  return name === null ? null : numberFile(context, name);
}

/** How many numbers the first line has */
async function widthOf({ path, name }: NumberFile): Promise<number> {
  for await (const { values } of numberRows(path, name)) return values.length;
  return 0;
}

async function requireWidth(file: NumberFile, expected: number): Promise<void> {
  const found = await widthOf(file);
  if (found === expected) return;
  const message = `${file.name}, line 1: ${found} values; expected ${expected}, one for each name.`;
  throw new GnnError("DATASET_ROW_INVALID", message, { place: { file: file.name, line: 1 } });
}
