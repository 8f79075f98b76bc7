import { datasetSpec } from "../dataset-spec.ts";
import { splitOf } from "../ingest/split-words.ts";
import { usualMissingLabels } from "../missing-labels.ts";
import { columnNamed, columnNames, namedEnds } from "./column-names.ts";
import { areDistinct, isNumeric, valuesOf } from "./column-values.ts";
import { edgeEnds, edgeRoles } from "./edge-roles.ts";
import { type NodeRoles, nodeRoles } from "./node-roles.ts";
import { columnOf, columnsOf, readerOf } from "./roles-to-spec.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";
import type { TypedProposal } from "./typed-proposal.ts";

const graphNames = [
  "graph",
  "graphid",
  "graphindicator",
  "graphindex",
  "graphidx",
  "molecule",
  "moleculeid",
  "mol",
  "molid",
  "compound",
  "compoundid",
];
const foldNames = ["fold", "foldid", "cvfold", "kfold", "folds"];
/** Kinds of nodes, such as atoms, are few. */
const mostKinds = 50;

/**
 * A table of edges, one of nodes with a column that says of which graph each is, and one with a row for each graph.
 * Null: the files are something else.
 */
export function proposeGraphs(sampled: readonly SampledFile[]): TypedProposal | null {
  const tables = sampled.filter(({ columns, part }) => columns.length > 0 && part === undefined);
  const withGraph = tables.filter((file) => columnNamed(file.columns, graphNames) >= 0 && !isEdges(file));
  const perGraph = withGraph.filter((file) => areDistinct(graphsIn(file)));
  const graphs = perGraph.toSorted((a, b) => b.columns.length - a.columns.length)[0];
  const nodes = withGraph.find((file) => !perGraph.includes(file) && nodeId(file) >= 0);
  const edges = tables.find(isEdges);
  if (!graphs || !nodes || !edges) return null;
  const folds = perGraph.find((file) => file !== graphs && foldColumn(file) >= 0);
  return proposalOf({ graphs, nodes, edges, folds });
}

/** A table of graphs is often called as tables of edges are, so that names of columns decide. */
function isEdges(file: SampledFile): boolean {
  if (namedEnds(file.columns) !== null) return true;
  return columnNamed(file.columns, graphNames) < 0 && edgeEnds(file) !== null;
}

interface Tables {
  readonly graphs: SampledFile;
  readonly nodes: SampledFile;
  readonly edges: SampledFile;
  readonly folds: SampledFile | undefined;
}

function proposalOf({ graphs, nodes, edges, folds }: Tables): TypedProposal {
  const ofGraphs = rolesOfGraphs(graphs);
  const ofNodes = rolesOfNodes(nodes);
  const areIdsLocal = !areDistinct(valuesOf(nodes.rows, nodeId(nodes)));
  const ofEdges = rolesOfEdges(edges, areIdsLocal);
  const kinds = columnsOf({ ...nodes, ...ofNodes }, "kind");
  const numbers = columnsOf({ ...nodes, ...ofNodes }, "feature");
  const [edge, node, graph] = [
    { ...edges, ...ofEdges },
    { ...nodes, ...ofNodes },
    { ...graphs, ...ofGraphs },
  ];
  const proposed = datasetSpec.parse({
    edges: {
      files: [edges.name],
      ...readerOf([edge]),
      src: columnOf(edge, "src"),
      dst: columnOf(edge, "dst"),
      weight: columnOf(edge, "weight"),
      ...(columnOf(edge, "graph") !== null && { graph: columnOf(edge, "graph") }),
    },
    nodes: {
      files: [nodes.name],
      ...readerOf([node]),
      id: columnOf(node, "id"),
      graph: columnOf(node, "graph"),
      features:
        kinds.length + numbers.length === 0 ? null : { columns: numbers, ...(kinds.length > 0 && { oneHot: kinds }) },
    },
    graphs: {
      files: [graphs.name],
      ...readerOf([graph]),
      id: columnOf(graph, "id"),
      label: columnOf(graph, "label"),
      ...(ofGraphs.missingLabels.length > 0 && { missingLabels: [...usualMissingLabels, ...ofGraphs.missingLabels] }),
      targets: columnsOf(graph, "target"),
      split: columnOf(graph, "split"),
      splitWords: ofGraphs.splitWords,
      fold: columnOf(graph, "fold"),
      foldFile: folds && columnOf(graph, "fold") === null ? foldFileOf(folds) : null,
    },
  });
  const roles = new Map<SampledFile, FileRoles>([
    [graphs, ofGraphs],
    [nodes, ofNodes],
    [edges, ofEdges],
    ...(folds ? [[folds, rolesOfFolds(folds)] as const] : []),
  ]);
  return { roles, proposed, notes: notesOf(nodes, areIdsLocal, kinds) };
}

function notesOf(nodes: SampledFile, areIdsLocal: boolean, kinds: readonly string[]): string[] {
  const graph = nodes.columns[columnNamed(nodes.columns, graphNames)]?.name;
  return [
    `The files are read as a set of graphs: "${graph}" of ${nodes.name} says of which graph each node is. Its rows have to be sorted by graph.`,
    ...(areIdsLocal
      ? [`${nodes.name}: ids of nodes come again in other graphs, so that node 3 of graph 7 is called 7/3.`]
      : []),
    ...(kinds.length > 0
      ? [
          `${nodes.name}: each value of ${kinds.map((name) => `"${name}"`).join(", ")} is proposed as a feature of its own.`,
        ]
      : []),
  ];
}

function graphsIn({ columns, rows }: SampledFile): string[] {
  return valuesOf(rows, columnNamed(columns, graphNames));
}

/** The column with the id of a node, in its graph alone or in all of them. */
function nodeId({ columns }: SampledFile): number {
  const graph = columnNamed(columns, graphNames);
  const named = columnNamed(columns, columnNames.id);
  return named === graph ? -1 : named;
}

function foldColumn({ columns, rows }: SampledFile): number {
  const found = columnNamed(columns, foldNames);
  if (found < 0) return -1;
  const values = valuesOf(rows, found);
  return values.some((value) => splitOf(value) === undefined) ? found : -1;
}

/** What is known of graphs is found as what is known of nodes; the fold is looked at apart, for it is no split. */
function rolesOfGraphs(file: SampledFile): NodeRoles {
  const fold = foldColumn(file);
  const kept = file.columns.flatMap((_, i) => (i === fold ? [] : [i]));
  const others: SampledFile = {
    ...file,
    columns: kept.map((i) => file.columns[i]!),
    rows: file.rows.map((row) => kept.map((i) => row[i] ?? "")),
  };
  const found = nodeRoles(others, columnNamed(others.columns, graphNames));
  const roles = file.columns.map((_, i): ColumnRole => {
    const role = i === fold ? "fold" : (found.roles[kept.indexOf(i)] ?? "none");
    if (role === "label" || role === "split" || role === "target" || role === "fold" || role === "id") return role;
    // A measured number of a graph can only be something to predict.
    return file.columns[i]!.type === "double" ? "target" : "none";
  });
  const unused = file.columns.filter((_, i) => roles[i] === "none").map(({ name }) => `"${name}"`);
  const note = `${file.name}: ${unused.join(", ")} ${unused.length === 1 ? "is" : "are"} left out: models learn from nodes and edges. Choose “number to predict” for what is to be learnt of each graph.`;
  const notes = unused.length > 0 ? [...found.notes, note] : found.notes;
  return { ...found, roles, notes, explained: file.columns.map((_, i) => i) };
}

function rolesOfNodes(file: SampledFile): FileRoles {
  const { columns, rows } = file;
  const [id, graph] = [nodeId(file), columnNamed(columns, graphNames)];
  const roles = columns.map((column, i): ColumnRole => {
    if (i === id) return "id";
    if (i === graph) return "graph";
    if (column.type === "double") return "feature";
    const values = valuesOf(rows, i);
    const isKind = column.type === "int64" || column.type === "text" || column.type === "boolean";
    const comesAgain = new Set(values).size <= Math.min(mostKinds, values.length / 2);
    if (isKind && comesAgain && values.length === rows.length) return "kind";
    return isNumeric(column) && values.length === rows.length ? "feature" : "none";
  });
  return { roles, notes: [], directed: null, explained: [] };
}

/** The graph of an edge says nothing new where ids are unique in all graphs. */
function rolesOfEdges(file: SampledFile, areIdsLocal: boolean): FileRoles {
  const found = edgeRoles(file, edgeEnds(file) as { src: number; dst: number });
  const graph = columnNamed(file.columns, graphNames);
  const roles = found.roles.map((role, i): ColumnRole => {
    if (i === graph) return areIdsLocal ? "graph" : "none";
    return role === "type" || role === "feature" || role === "time" ? "none" : role;
  });
  return { ...found, roles, explained: [...found.explained, ...(graph >= 0 ? [graph] : [])] };
}

function rolesOfFolds(file: SampledFile): FileRoles {
  const [graph, fold] = [columnNamed(file.columns, graphNames), foldColumn(file)];
  const roles = file.columns.map((_, i): ColumnRole => (i === graph ? "graph" : i === fold ? "fold" : "none"));
  return { roles, notes: [], directed: null, explained: [] };
}

function foldFileOf(file: SampledFile) {
  const found = { ...file, ...rolesOfFolds(file) };
  return { files: [file.name], ...readerOf([file]), graph: columnOf(found, "graph"), fold: columnOf(found, "fold") };
}
