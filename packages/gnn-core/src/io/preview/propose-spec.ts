import { type DatasetSpec, datasetSpec } from "../dataset-spec.ts";
import { usualMissingLabels } from "../missing-labels.ts";
import { baseName } from "./base-name.ts";
import { plainName } from "./column-names.ts";
import { overlap, valuesOf } from "./column-values.ts";
import { isDictionaryOfRelations } from "./dictionary.ts";
import { type EdgeEnds, edgeEnds, edgeRoles, endsByValues } from "./edge-roles.ts";
import { maybeNeighbors } from "./foreign-json.ts";
import { filesOf, type Joins, joinSamples, type NodeTable, noJoins, rolesOfJoined } from "./joined-samples.ts";
import { leftOutNotes } from "./left-out.ts";
import { idColumn, nodeRoles } from "./node-roles.ts";
import { partitionsOf } from "./pieces.ts";
import type { PreviewFile } from "./preview-info.ts";
import { proposeGraphs } from "./propose-graphs.ts";
import { proposeTu } from "./propose-tu.ts";
import { proposeTypes } from "./propose-types.ts";
import { type EdgeFile, type NodeFile, readTogether } from "./read-together.ts";
import { columnOf, columnsOf, featureColumnsOf, joinsOf, masksOf, readerOf, separatorOf } from "./roles-to-spec.ts";
import type { FileRoles, SampledFile } from "./sampled-file.ts";
import { listsBeside, type SidesOfNodes, sidesOf } from "./sides-of-nodes.ts";
import { isTriples } from "./triples.ts";
import { mergedKindsNote } from "./two-kinds.ts";
import type { TypedProposal } from "./typed-proposal.ts";

export interface Proposal {
  readonly files: Omit<PreviewFile, "isReaderChosen">[];
  readonly proposed: DatasetSpec | null;
  readonly warnings: string[];
}

type OtherFile = SampledFile & FileRoles & { readonly kind: "matrix" | "none" };
type WithRoles = EdgeFile | NodeFile | OtherFile;

const noRoles: FileRoles = { roles: [], notes: [], directed: null, explained: [] };

/**
 * Guesses which file holds what. Files of edges are those with two end columns; of the others, those with an id are
 * nodes. Files of one kind are read together when they have the columns that the first of them is used by; a matrix
 * gives the node features. What is left out, and what was assumed, is said in a warning.
 */
export function proposeSpec(sampled: readonly SampledFile[]): Proposal {
  const typed = proposeTu(sampled) ?? proposeGraphs(sampled) ?? proposeTypes(sampled);
  const proposal = typed ? typedProposal(typed.shown ?? sampled, typed) : oneTable(sampled);
  return { ...proposal, warnings: [...proposal.warnings, ...partitionNotes(sampled)] };
}

function partitionNotes(sampled: readonly SampledFile[]): string[] {
  const folders = sampled.flatMap(({ name }) => partitionsOf(name));
  if (folders.length === 0) return [];
  return [
    `Folders such as "${folders[0]}" are read as folders: what they say of the rows below is no column. Write it into the files to use it.`,
  ];
}

function typedProposal(sampled: readonly SampledFile[], { roles, proposed, notes }: TypedProposal): Proposal {
  const files = sampled.map((file): WithRoles => {
    const found = roles.get(file);
    return { ...file, ...(found ?? { ...noRoles, roles: file.columns.map(() => "none") }), kind: "none" };
  });
  const isUsed = ({ name }: WithRoles) => [...roles.keys()].some((file) => file.name === name);
  const warnings = [...notes, ...files.flatMap((file) => typedNotes(file, isUsed(file)))];
  return { files: files.map((file) => shown(file, isUsed(file))), proposed, warnings: [...new Set(warnings)] };
}

function typedNotes(file: WithRoles, isUsed: boolean): string[] {
  if (isUsed || file.problem) return notesOf(file, isUsed);
  const isMatrix = file.columns.length === 0;
  return isMatrix ? [`${file.name} is not used by the proposal: no type of node is called as it is.`] : [];
}

function oneTable(sampled: readonly SampledFile[]): Proposal {
  const found = withRoles(sampled);
  const edges = readTogether(found.filter((file) => file.kind === "edges"));
  const sides = sidesOf(found);
  const isApart = (file: WithRoles) => sides.apart.includes(file);
  const tables = withoutBareIds(found.filter((file) => file.kind === "nodes" && !isApart(file)) as NodeFile[]);
  const nodes = readTogether(tables);
  const matrix = nodes.used.length > 0 ? found.find(({ kind }) => kind === "matrix") : undefined;
  const joined = joinTo(nodes, sides, matrix);
  const roles = rolesOfJoined(joined.table, joined.joins);
  for (const { name } of nodes.used) roles.delete(name);
  const files = found.map((file): WithRoles => {
    if (file === nodes.used[0]) return { ...nodes.used[0], roles: joined.table!.roles.slice(0, file.columns.length) };
    const isHeaderless = joined.joins.lists.some((list) => list.file === file && list.isHeaderless);
    return { ...file, ...roles.get(file.name), ...(isHeaderless && { doubts: [] }) };
  });
  const names = [...edges.used, ...nodes.used, ...(matrix ? [matrix] : [])].map(tableName);
  const used = new Set(files.filter((file) => names.includes(tableName(file)) || roles.has(file.name)));
  const warnings = [
    ...(edges.used.length === 0 ? withoutEdges(files) : []),
    ...edges.notes,
    ...edges.used.flatMap((file) => mergedKindsNote(file) ?? []),
    ...nodes.notes,
    ...joined.joins.notes,
    ...files.flatMap((file) => notesOf(file, used.has(file), nodes.used[0])),
  ];
  return {
    files: files.map((file) => shown(file, used.has(file))),
    proposed: edges.used.length > 0 ? specOf(edges.used, nodes.used, matrix, joined) : null,
    warnings: [...new Set(warnings)],
  };
}

/** A file that holds a whole graph comes twice. */
function tableName({ name, part }: SampledFile): string {
  return part === undefined ? name : `${name} ${part}`;
}

function withoutNodes({ name }: SampledFile): string {
  return `${name} is not used by the proposal: a list of ids says the side of nodes in another file, and none has nodes.`;
}

/** The first table of the nodes with the columns of all others; null: there is no table */
interface JoinedNodes {
  readonly table: NodeFile | null;
  readonly joins: Joins;
}

/** Tables of the same columns are one. */
function piecesOf(files: readonly NodeFile[]): NodeTable[] {
  const byShape = new Map<string, NodeTable>();
  for (const file of files) {
    const shape = JSON.stringify([file.reader, file.columns.map(({ name }) => name)]);
    const first = byShape.get(shape);
    const together = first && { files: [...filesOf(first), file.name], rows: [...first.rows, ...file.rows] };
    byShape.set(shape, { ...(first ?? file), ...together });
  }
  return [...byShape.values()];
}

function joinTo(
  { used, seconds }: ReturnType<typeof readTogether<NodeFile>>,
  sides: SidesOfNodes,
  matrix: WithRoles | undefined,
): JoinedNodes {
  const [first] = used;
  if (!first) return { table: null, joins: { ...noJoins, notes: sides.apart.map(withoutNodes) } };
  const { table, joins } = joinSamples(first, piecesOf(seconds), matrix !== undefined);
  const { lists, notes } = listsBeside(sides, table, used);
  return { table, joins: { ...joins, lists, notes: [...joins.notes, ...notes] } };
}

function withRoles(sampled: readonly SampledFile[]): WithRoles[] {
  const ends = new Map<SampledFile, EdgeEnds>();
  for (const file of sampled) {
    const found = edgeEnds(file);
    if (found) ends.set(file, found);
  }
  const likely = ends.size > 0 ? undefined : sampled.find((file) => endsByValues(file) !== null);
  if (likely) ends.set(likely, endsByValues(likely)!);
  const edgeIds = new Set(
    [...ends].flatMap(([{ rows }, { src, dst }]) => [...valuesOf(rows, src), ...valuesOf(rows, dst)]),
  );
  return sampled.map((file) => rolesOf(file, ends.get(file), edgeIds));
}

function rolesOf(file: SampledFile, ends: EdgeEnds | undefined, edgeIds: ReadonlySet<string>): WithRoles {
  if (file.reader === "npz" || file.reader === "npy") return { ...file, ...noRoles, kind: "matrix" };
  if (ends) return { ...file, ...edgeRoles(file, ends), kind: "edges" };
  const isOfNodes = file.columns.length > 0 && !isDictionaryOfRelations(file);
  const id = isOfNodes ? idColumn(file, edgeIds) : -1;
  if (id < 0) return { ...file, ...noRoles, roles: file.columns.map(() => "none"), kind: "none" };
  return { ...file, ...nodeRoles(file, id), kind: "nodes" };
}

/** A graph file that lists its nodes and says nothing of them gives way to a table that does. */
function withoutBareIds(files: readonly NodeFile[]): readonly NodeFile[] {
  const told = files.filter(({ part, columns }) => part === undefined || columns.length > 1);
  return told.length > 0 ? told : files;
}

/** The column with the times of edges, where every file has it */
function timeColumnOf(edges: readonly EdgeFile[]): string | null {
  const name = columnOf(edges[0] as EdgeFile, "time");
  return name !== null && edges.every((file) => columnOf(file, "time") === name) ? name : null;
}

function notesOf(file: WithRoles, isUsed: boolean, nodes?: NodeFile): string[] {
  const { name, problem, doubts } = file;
  if (problem) return [problem.detail];
  if (!isUsed)
    return file.kind === "edges" || file.kind === "nodes"
      ? []
      : [`${name} is not used by the proposal${whyNot(file, nodes)}.`];
  return [
    ...doubts.map((doubt) => `${name}: ${doubt}`),
    ...file.notes,
    ...(file.kind === "nodes" && file.severalTypes ? [file.severalTypes.note] : []),
    ...leftOutNotes(file, file.roles, file.explained),
  ];
}

/** The table of nodes of which a file has several rows for some; null: none */
function severalRowsOf(file: WithRoles, nodes: NodeFile | undefined): string | null {
  if (file.kind !== "none" || !nodes) return null;
  const ids = new Set(valuesOf(nodes.rows, nodes.roles.indexOf("id")));
  const called = nodes.columns[nodes.roles.indexOf("id")]!.name;
  const at = file.columns.findIndex(({ name }) => plainName(name) === plainName(called));
  return at >= 0 && overlap(valuesOf(file.rows, at), ids) >= 0.5 ? nodes.name : null;
}

function whyNot(file: WithRoles, nodes: NodeFile | undefined): string {
  const { kind, columns } = file;
  const many = severalRowsOf(file, nodes);
  if (many !== null) {
    return `: it has several rows for a node of ${many}. Write one row for each to join it, read it as labelFile if they are its labels, or as edges to nodes of a type of their own`;
  }
  if (isDictionaryOfRelations(file)) return ": it says what numbers of relations mean";
  if (kind === "matrix") return ": a matrix needs a nodes file, whose order its rows follow";
  return columns.length > 0 ? ": no column of it holds another id in every row" : "";
}

function specOf(
  edges: readonly EdgeFile[],
  nodes: readonly NodeFile[],
  matrix: WithRoles | undefined,
  { table: node, joins }: JoinedNodes,
): DatasetSpec {
  const [edge] = edges as [EdgeFile];
  const isOfFacts = isTriples(edge) || (edge.directed === true && columnOf(edge, "type") !== null);
  return datasetSpec.parse({
    edges: {
      files: edges.map(({ name }) => name),
      ...readerOf(edges),
      src: columnOf(edge, "src"),
      dst: columnOf(edge, "dst"),
      weight: columnOf(edge, "weight"),
      type: columnOf(edge, "type"),
      features: columnsOf(edge, "feature"),
      split: columnOf(edge, "split"),
      splitFiles:
        columnOf(edge, "split") === null && isTriples(edge) ? splitFilesOf(edges.map(({ name }) => name)) : null,
      time: timeColumnOf(edges),
    },
    nodes: node && {
      files: nodes.map(({ name }) => name),
      ...readerOf(nodes),
      id: columnOf(node, "id"),
      type: columnOf(node, "type"),
      ...(columnOf(node, "type") !== null && node.severalTypes && { typeRule: node.severalTypes.rule }),
      label: columnOf(node, "label"),
      labelSeparator: separatorOf(node),
      ...(node.missingLabels.length > 0 ? { missingLabels: [...usualMissingLabels, ...node.missingLabels] } : {}),
      targets: columnsOf(node, "target"),
      split: columnOf(node, "split"),
      splitWords: node.splitWords,
      splitMasks: masksOf(node),
      features: featuresOf(node, matrix),
      ...joinsOf(node, joins),
    },
    directed: edge.directed ?? isOfFacts,
    // That something is in a relation to itself is a fact like any other.
    selfLoops: isOfFacts ? "keep" : "drop",
  });
}

const saysVal = /(?:^|[^a-z])(?:val|valid|validation|dev)(?:[^a-z]|$)/i;
const saysTest = /(?:^|[^a-z])test(?:[^a-z]|$)/i;

/** Published triples come as train, valid and test, which counts; null: neither names nor folders say so. */
function splitFilesOf(names: readonly string[]) {
  return splitBy(names, baseName) ?? splitBy(names, (name) => name);
}

function splitBy(names: readonly string[], saying: (name: string) => string) {
  const val = names.filter((name) => saysVal.test(saying(name)));
  const test = names.filter((name) => saysTest.test(saying(name)) && !val.includes(name));
  return val.length > 0 && test.length > 0 && val.length + test.length < names.length ? { val, test } : null;
}

function featuresOf(node: NodeFile, matrix: WithRoles | undefined) {
  if (matrix) return { file: matrix.name };
  return featureColumnsOf(node);
}

function shown(file: WithRoles, isUsed: boolean): Omit<PreviewFile, "isReaderChosen"> {
  const { name, reader, bytes, columns, rows, roles, options, reasons, problem } = file;
  const described = columns.map(({ name: column, type, list }, i) => ({
    name: column,
    type,
    width: list?.width ?? null,
    role: isUsed ? (roles[i] ?? "none") : "none",
  }));
  return {
    name,
    reader,
    options: { ...options },
    reasons: [...reasons],
    problem,
    bytes,
    numRowsSampled: rows.length,
    columns: described,
    rows: rows.map((row) => [...row]),
  };
}

function withoutEdges(files: readonly SampledFile[]): readonly string[] {
  const lists = files.filter(({ reader }) => reader === "json-lists");
  return [
    "No file looks like edges: choose its source and destination columns.",
    ...lists.map(({ name }) => maybeNeighbors(name)),
  ];
}
