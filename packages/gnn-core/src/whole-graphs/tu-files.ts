import { existsSync } from "node:fs";
import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { noFeatures } from "../features/no-features.ts";
import type { NodeTargets } from "../graph/node-targets.ts";
import { GraphNumbering } from "../io/tu/graph-numbering.ts";
import { type NumberTable, readNumbers, requireInteger } from "../io/tu/tu-numbers.ts";
import { type GraphSet, graphSetOf } from "./graph-set.ts";

/** A data set of graphs in the layout of the TU Dortmund collection. */
export interface TuData {
  /** Ids of the graphs are the numbers that DS_graph_indicator.txt has, from 1 */
  readonly set: GraphSet;
  /** One column for each node label (one-hot), then the attributes; none where there are neither */
  readonly features: FeatureStore;
  /** Where there is DS_graph_labels.txt: class of every graph, by the order of the labels' values in `classes` */
  readonly labels: Int32Array | null;
  readonly classes: readonly string[];
  /** Where there is DS_graph_attributes.txt: numbers of every graph, named 0, 1, 2 … */
  readonly targets: NodeTargets | null;
}

/** Nodes with more labels than this hold something else than labels in the file. */
const mostNodeLabels = 10_000;
/** float32 of 2^29 numbers take 2 GiB. */
const mostFeatures = 2 ** 29;

/**
 * Reads DS_A.txt and DS_graph_indicator.txt of a folder, and of the files beside them those of graphs' labels and
 * attributes and of nodes' labels and attributes. Edges go both ways, each pair once; files about edges are not read.
 * Morris et al. 2020, TUDataset, arXiv:2007.08663; layout: https://chrsmrrs.github.io/datasets/docs/format.
 *
 * @param name DS: what the names of the files begin with
 * @throws GnnError with file and line: DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_ROW_INVALID (columns),
 * DATASET_VALUE_INVALID (no number, an id that jumps, an edge between two graphs, a graph without a node),
 * DATASET_NODE_UNKNOWN, DATASET_LIMIT_EXCEEDED (a line of over 64 KiB)
 */
export async function readTuFiles(folder: string, name: string): Promise<TuData> {
  const files = new TuFiles(folder, name);
  const indicator = await files.required("graph_indicator", 1);
  const numNodes = indicator.numRows;
  const numGraphs = requireNumbered(indicator);
  const perGraph = { count: numGraphs, what: `graphs of ${indicator.file}` };
  const perNode = { count: numNodes, what: `nodes of ${indicator.file}` };
  const labelled = await files.optional("graph_labels", perGraph, 1);
  const attributed = await files.optional("graph_attributes", perGraph);
  const set = await setOf(await files.required("A", 2), indicator);
  const nodeLabels = await files.optional("node_labels", perNode);
  const attributes = await files.optional("node_attributes", perNode);
  return {
    set,
    features: featuresOf(numNodes, nodeLabels, attributes),
    ...classesOf(labelled),
    targets: attributed && {
      names: Array.from({ length: attributed.numColumns }, (_, column) => String(column)),
      values: Float32Array.from(attributed.values),
    },
  };
}

class TuFiles {
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  required(part: string, numColumns?: number): Promise<NumberTable> {
    const file = `${this.#name}_${part}.txt`;
    return readNumbers(join(this.#folder, file), file, numColumns);
  }

  /** @returns null where there is no such file */
  async optional(
    part: string,
    rows: { readonly count: number; readonly what: string },
    numColumns?: number,
  ): Promise<NumberTable | null> {
    if (!existsSync(join(this.#folder, `${this.#name}_${part}.txt`))) return null;
    const table = await this.required(part, numColumns);
    if (table.numRows === rows.count) return table;
    const message = `${table.file} has ${table.numRows} lines; expected ${rows.count}, one for each of the ${rows.what}.`;
    throw new GnnError("DATASET_ROW_INVALID", message, {
      place: { file: table.file, line: Math.min(table.numRows, rows.count) + 1 },
    });
  }
}

/** @returns how many graphs there are */
function requireNumbered(indicator: NumberTable): number {
  const numbering = new GraphNumbering(indicator.file);
  for (let row = 0; row < indicator.numRows; row++) numbering.add(requireInteger(indicator, row, 0), row + 1);
  return numbering.numGraphs;
}

async function setOf(edges: NumberTable, indicator: NumberTable): Promise<GraphSet> {
  const { file, numRows } = edges;
  const ends = [0, 1].map((column) => {
    const nodes = new Int32Array(numRows);
    for (let row = 0; row < numRows; row++) {
      const node = requireInteger(edges, row, column);
      if (node < 1 || node > indicator.numRows) {
        const message = `${file}, line ${row + 1}: there is no node ${node}; expected 1 to ${indicator.numRows}.`;
        throw new GnnError("DATASET_NODE_UNKNOWN", message, { place: { file, line: row + 1 } });
      }
      nodes[row] = node - 1;
    }
    return nodes;
  }) as [Int32Array, Int32Array];
  try {
    return await graphSetOf({ src: ends[0], dst: ends[1], graphOf: indicator.values, directed: false });
  } catch (error) {
    // Graphs follow each other by now: what is left to be wrong is an edge.
    if (!(error instanceof GnnError) || error.place.line === undefined) throw error;
    throw new GnnError(error.code, `${file}: ${error.message}`, {
      cause: error,
      place: { file, line: error.place.line },
    });
  }
}

function classesOf(labelled: NumberTable | null): Pick<TuData, "labels" | "classes"> {
  if (!labelled) return { labels: null, classes: [] };
  const rows = Array.from({ length: labelled.numRows }, (_, row) => requireInteger(labelled, row, 0));
  const values = [...new Set(rows)].toSorted((a, b) => a - b);
  const classOf = new Map(values.map((value, i) => [value, i]));
  return { labels: Int32Array.from(rows, (value) => classOf.get(value) as number), classes: values.map(String) };
}

function featuresOf(numNodes: number, labels: NumberTable | null, attributes: NumberTable | null): FeatureStore {
  const hot = labels ? Array.from({ length: labels.numColumns }, (_, column) => oneHot(labels, column)) : [];
  const dims = [...hot.map(({ dim }) => dim), attributes?.numColumns ?? 0];
  const dim = dims.reduce((sum, each) => sum + each, 0);
  if (dim === 0) return noFeatures(numNodes);
  if (numNodes * dim > mostFeatures) {
    const message = `${numNodes} nodes with ${dim} columns each are more than ${mostFeatures} numbers; expected no more.`;
    throw new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file: (labels ?? attributes)?.file ?? "" } });
  }
  const values = new Float32Array(numNodes * dim);
  for (let node = 0; node < numNodes; node++) {
    let first = node * dim;
    for (const { dim: width, codes } of hot) {
      values[first + (codes[node] as number)] = 1;
      first += width;
    }
    if (!attributes) continue;
    const { numColumns } = attributes;
    values.set(attributes.values.subarray(node * numColumns, (node + 1) * numColumns), first);
  }
  return new DenseFeatureStore(dim, [values]);
}

/** The column's values as numbers 0, 1, 2 … in their order. */
function oneHot(labels: NumberTable, column: number): { readonly dim: number; readonly codes: Int32Array } {
  const rows = Int32Array.from({ length: labels.numRows }, (_, row) => requireInteger(labels, row, column));
  const values = [...new Set(rows)].toSorted((a, b) => a - b);
  if (values.length > mostNodeLabels) {
    const message = `${labels.file}: column ${column + 1} has ${values.length} different labels; expected ${mostNodeLabels} at most.`;
    throw new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file: labels.file } });
  }
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return { dim: values.length, codes: rows.map((value) => codeOf.get(value) as number) };
}
