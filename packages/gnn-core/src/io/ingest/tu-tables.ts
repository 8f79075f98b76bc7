import { tuLabel } from "../dataset-labels.ts";
import { type DatasetSpec, datasetSpec } from "../dataset-spec.ts";
import type { TuSection } from "../graphs-section.ts";
import { GraphNumbering } from "../tu/graph-numbering.ts";
import { SideBySide } from "../tu/side-by-side.ts";
import { integerOf, numberRows } from "../tu/tu-numbers.ts";
import type { IngestContext } from "./ingest-context.ts";
import type { EdgeRows } from "./read-edges.ts";
import type { StoredEdges } from "./store-edges.ts";
import { checkTuEdges } from "./tu-edge-conflicts.ts";
import { writeTuEdges } from "./tu-edges.ts";
import { csv, names, numberFile, optional, requireWidth, widthOf, writeTable } from "./tu-table-file.ts";

const table = { type: "csv", options: { ...csv, header: true } };

interface TuTables {
  readonly spec: DatasetSpec;
  /** @throws GnnError DATASET_VALUE_INVALID when two rows of one edge have different labels */
  checkEdges(edges: EdgeRows, stored: StoredEdges): Promise<void>;
}

/**
 * Brings the files of a TU data set into the form of three tables, a line at a time, in the scratch folder; edges of
 * which nothing else is known are a table as they are. What is wrong in the files is found here, with its
 * place. Morris et al. 2020, TUDataset, arXiv:2007.08663; layout: https://chrsmrrs.github.io/datasets/docs/format.
 *
 * @returns the spec that reads the three tables, and what holds the rows of one edge to each other once it is stored
 * @throws GnnError those of `numberRows`; DATASET_VALUE_INVALID of an id that jumps; DATASET_ROW_INVALID of files that
 * do not go together
 */
export async function tuTables(context: IngestContext, spec: DatasetSpec, tu: TuSection): Promise<TuTables> {
  const pairs = await numberFile(context, tu.edges);
  const { numGraphs, columns } = await writeNodes(context, tu);
  const file = await writeGraphTable(context, tu, numGraphs);
  const edges = await writeTuEdges(context, tu);
  const { tu: _, ...others } = spec;
  const read = datasetSpec.parse({
    ...others,
    edges,
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
  return {
    spec: read,
    async checkEdges(rows, stored) {
      const note = await checkTuEdges(pairs, tu, read, rows, stored);
      if (note !== null) context.notes.add(note);
    },
  };
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
