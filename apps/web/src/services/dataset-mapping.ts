import type { DatasetSpec, EdgesSection, NodesSection } from "@hopwise/contracts";
import { type EdgeRole, edgeRoles, type NodeRole, nodeRoles, type Role } from "./column-roles.ts";
import { type JoinedFile, joinsIn, type ListUse, rolesOfJoins, sidesIn } from "./joined-files.ts";

export interface PreviewColumn {
  readonly name: string;
  readonly type: string;
  readonly role: string | null;
  /** Numbers in each list of a column of such; null: it is none, or they have different lengths */
  readonly width: number | null;
}

export interface PreviewFile {
  readonly name: string;
  /** null: no reader takes the file */
  readonly reader: string | null;
  /** Options of the reader, as they were detected or chosen */
  readonly options: unknown;
  /** Whether somebody has chosen the reader */
  readonly isReaderChosen: boolean;
  /** How the file was read, and why */
  readonly reasons: readonly string[];
  /** Why it could not be read */
  readonly problem: string | null;
  readonly bytes: number;
  readonly numRowsSampled: number;
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Which of its two tables this is of a file that holds a whole graph; null: the file is one table. */
export function partOf({ options }: Pick<PreviewFile, "options">): "edges" | "nodes" | null {
  const part = (options as { readonly part?: unknown } | null)?.part;
  return part === "edges" || part === "nodes" ? part : null;
}

/** The table among all of the preview: a file that holds a whole graph comes twice. */
export function tableKey(file: Pick<PreviewFile, "name" | "options">): string {
  const part = partOf(file);
  return part === null ? file.name : `${file.name} (${part})`;
}

export type FileUse = "edges" | "nodes" | "joined" | ListUse | "features" | "valNegatives" | "testNegatives" | "ignore";
type NodesSpec = NodesSection;
export type TypeRule = NonNullable<NodesSpec["typeRule"]>;
export type RepeatedIds = NonNullable<NodesSpec["repeatedIds"]>;

/**
 * What the user decides on the mapping page. Roles go by column name: all edge files share them, all node files too,
 * and columns of joined tables have theirs by the names that they have among those of the nodes.
 */
export interface DatasetMapping {
  readonly uses: Readonly<Record<string, FileUse>>;
  readonly edges: Readonly<Record<string, EdgeRole>>;
  readonly nodes: Readonly<Record<string, NodeRole>>;
  /** Tables that are joined to the nodes, by their keys */
  readonly joins: Readonly<Record<string, JoinedFile>>;
  /** How files that list ids are read, by their keys; left out: their first column */
  readonly lists: Readonly<Record<string, NonNullable<NodesSpec["splitFiles"]>["train"]>>;
  /** Files of nodes, or joined ones, all of whose rows are of one side of the split, by their keys */
  readonly sides: Readonly<Record<string, ListUse>>;
  /** Cuts a cell of the label column into several labels; null: each cell is one class */
  readonly labelSeparator: string | null;
  /** Which label of a cell of the type column is a node's type; null: a cell is one type */
  readonly typeRule: TypeRule | null;
  readonly labelFile: NodesSpec["labelFile"];
  readonly edgeSplitFiles: EdgesSection["splitFiles"];
  /** Edges that lead back are of types of their own */
  readonly reverseTypes: boolean;
  readonly missingLabels: NodesSpec["missingLabels"] | null;
  /** Numbers in each list of the nodes' columns of such */
  readonly widths: Readonly<Record<string, number>>;
  /** What is taken where feature columns of the nodes are missing */
  readonly missing: MissingFeatures;
  readonly splitWords: NodesSpec["splitWords"];
  /** Readers of files whose ending asks for another one, or whose reader was chosen */
  readonly readers: { readonly edges?: EdgesSection["reader"]; readonly nodes?: NodesSpec["reader"] };
  readonly directed: boolean;
  readonly duplicates: DatasetSpec["duplicates"];
  /** What becomes of an id that several rows of the nodes have */
  readonly repeatedIds: RepeatedIds;
  readonly selfLoops: DatasetSpec["selfLoops"];
  readonly missingNodes: DatasetSpec["missingNodes"];
}

/** The mapping that the API proposes; without a proposal, what the roles of the single columns suggest. */
export function mappingFromPreview(files: readonly PreviewFile[], proposed: DatasetSpec | null): DatasetMapping {
  if (proposed?.edges) return mappingFromSpec(files, proposed, proposed.edges);
  const { joins, lists, roles } = joinsOfTypes(files, proposed);
  const ofTypes = Object.values(proposed?.nodeTypes ?? {}).flatMap((section) => section.files);
  const useIn = ({ name }: PreviewFile): FileUse | undefined => {
    if (ofTypes.includes(name)) return undefined;
    return joins[name] ? "joined" : lists[name]?.use;
  };
  const uses = Object.fromEntries(files.map((file) => [tableKey(file), useIn(file) ?? guessUse(file)]));
  const rolesOf = <R extends Role>(use: FileUse, known: readonly R[]) =>
    Object.fromEntries(
      files
        .filter((file) => uses[tableKey(file)] === use)
        .flatMap((file) => file.columns)
        .map((column) => [column.name, known.find((role) => role === column.role) ?? known[0]]),
    ) as Record<string, R>;
  return {
    uses,
    edges: rolesOf("edges", edgeRoles),
    nodes: { ...rolesOf("nodes", nodeRoles), ...roles },
    joins,
    lists: Object.fromEntries(Object.entries(lists).map(([name, { section }]) => [name, section])),
    sides: sidesIn(lists, (name) => uses[name]),
    labelSeparator: null,
    typeRule: null,
    labelFile: null,
    edgeSplitFiles: null,
    reverseTypes: false,
    missingLabels: null,
    widths: listWidths(files, null),
    missing: {},
    splitWords: {},
    readers: {},
    directed: false,
    duplicates: "drop",
    repeatedIds: "error",
    selfLoops: "drop",
    missingNodes: "error",
  };
}

/** How a spec of types reads files that are joined or list ids, which is kept where all nodes become one table. */
function joinsOfTypes(files: readonly PreviewFile[], spec: DatasetSpec | null) {
  const found = Object.values(spec?.nodeTypes ?? {}).map((section) => {
    const { joins, lists } = joinsIn(section, files);
    return { joins, lists, roles: rolesOfJoins(joins, nodeRoleIn(section)) };
  });
  return {
    joins: Object.assign({}, ...found.map(({ joins }) => joins)) as DatasetMapping["joins"],
    lists: Object.assign({}, ...found.map(({ lists }) => lists)) as ReturnType<typeof joinsIn>["lists"],
    roles: Object.assign({}, ...found.map(({ roles }) => roles)) as DatasetMapping["nodes"],
  };
}

/**
 * The spec of an earlier version when these files have all that it names, and the proposal names no other; null when
 * the files have changed.
 */
export function fittingSpec(
  files: readonly PreviewFile[],
  earlier: DatasetSpec | null,
  proposed: DatasetSpec | null,
): DatasetSpec | null {
  if (earlier === null) return null;
  const named = namedFiles(earlier);
  const isThere = named.every((name) => files.some((file) => file.name === name));
  return isThere && namedFiles(proposed).every((name) => named.includes(name)) ? earlier : null;
}

function namedFiles(spec: DatasetSpec | null): readonly string[] {
  if (spec === null) return [];
  const { edges, nodes, nodeTypes, relations, graphs, tu } = spec;
  if (tu) return Object.values(tu).filter((value) => typeof value === "string");
  const tables = [...(nodes ? [nodes] : []), ...Object.values(nodeTypes ?? {})];
  const matrices = tables.flatMap(({ features }) => (features && "file" in features ? [features.file] : []));
  const joined = tables.flatMap(({ join = [], splitFiles: lists }) => [
    ...join,
    ...[lists?.train, lists?.val, lists?.test].filter((list) => list !== undefined),
  ]);
  const others = [...(relations ?? []), ...(graphs ? [graphs] : []), ...joined];
  const sections = [...(edges ? [edges] : []), ...others, ...tables];
  const pairs = Object.values(edges?.negatives ?? {}).flat();
  return sections.flatMap(({ files }) => files).concat(matrices, pairs);
}

function guessUse(file: PreviewFile): FileUse {
  const roles = new Set(file.columns.map((column) => column.role));
  if (roles.has("src") || roles.has("dst")) return "edges";
  if (roles.has("id")) return "nodes";
  return isMatrix(file) ? "features" : "ignore";
}

/** Files without named columns can only be a feature matrix. */
export function isMatrix(file: PreviewFile): boolean {
  return /\.np[yz]$/.test(file.name);
}

function mappingFromSpec(files: readonly PreviewFile[], spec: DatasetSpec, edges: EdgesSection): DatasetMapping {
  const { nodes } = spec;
  const matrix = nodes?.features && "file" in nodes.features ? nodes.features.file : null;
  const { joins, lists } = joinsIn(nodes, files);
  const useOf = (file: PreviewFile): FileUse => {
    const { name } = file;
    const part = partOf(file);
    if (part !== "nodes" && edges.files.includes(name)) return "edges";
    if (part !== "edges" && nodes?.files.includes(name)) return "nodes";
    if (joins[name]) return "joined";
    if (lists[name]) return lists[name].use;
    if (edges.negatives?.val.includes(name)) return "valNegatives";
    if (edges.negatives?.test.includes(name)) return "testNegatives";
    return name === matrix ? "features" : "ignore";
  };
  const columnsOf = (use: FileUse) => files.filter((file) => useOf(file) === use).flatMap((file) => file.columns);
  const nodeRole = nodeRoleIn(nodes);
  return {
    uses: Object.fromEntries(files.map((file) => [tableKey(file), useOf(file)])),
    edges: Object.fromEntries(columnsOf("edges").map(({ name }) => [name, edgeRoleIn(edges, name)])),
    nodes: Object.fromEntries([
      ...columnsOf("nodes").map(({ name }) => [name, nodeRole(name)]),
      ...Object.entries(rolesOfJoins(joins, nodeRole)),
    ]),
    joins,
    lists: Object.fromEntries(Object.entries(lists).map(([name, { section }]) => [name, section])),
    sides: sidesIn(lists, (name) => files.filter((file) => file.name === name).map(useOf)[0]),
    labelSeparator: nodes?.labelSeparator ?? null,
    typeRule: nodes?.typeRule ?? null,
    labelFile: nodes?.labelFile ?? null,
    edgeSplitFiles: edges.splitFiles,
    reverseTypes: edges.reverseTypes,
    missingLabels: nodes?.missingLabels ?? null,
    widths: listWidths(files, nodes?.features ?? null),
    missing: missingIn(nodes?.features ?? null),
    splitWords: nodes?.splitWords ?? {},
    readers: { edges: edges.reader, nodes: nodes?.reader },
    directed: spec.directed,
    duplicates: spec.duplicates,
    repeatedIds: nodes?.repeatedIds ?? "error",
    selfLoops: spec.selfLoops,
    missingNodes: spec.missingNodes,
  };
}

function edgeRoleIn(edges: EdgesSection, column: string): EdgeRole {
  const { src, dst, weight, type, split, time, features, label, targets = [] } = edges;
  if (column === src) return "src";
  if (column === dst) return "dst";
  if (column === weight) return "weight";
  if (column === type) return "type";
  if (column === split) return "split";
  if (column === time) return "time";
  if (column === label) return "label";
  if (targets.includes(column)) return "target";
  return features.includes(column) ? "feature" : "ignore";
}

export function nodeRoleIn(nodes: DatasetSpec["nodes"]): (column: string) => NodeRole {
  const chosen = nodes?.features && "columns" in nodes.features ? nodes.features : null;
  const features = new Set(chosen?.columns);
  const kinds = new Set(chosen?.oneHot);
  return (column) => {
    if (column === nodes?.id) return "id";
    if (column === nodes?.type) return "type";
    if (column === nodes?.label) return "label";
    if (column === nodes?.split) return "split";
    for (const mask of ["train", "val", "test"] as const)
      if (column === nodes?.splitMasks?.[mask]) return `${mask}Mask`;
    if (nodes?.labelColumns.includes(column)) return "labelFlag";
    if (nodes?.targets.includes(column)) return "target";
    if (kinds.has(column)) return "kind";
    if (column === chosen?.multiHot) return "multiHot";
    return features.has(column) ? "feature" : "ignore";
  };
}

/** Numbers in the lists of columns: as a spec says, else as the first rows of the files show. */
export function listWidths(
  files: readonly PreviewFile[],
  features: NodesSpec["features"],
): Readonly<Record<string, number>> {
  const shown = files.flatMap((file) => file.columns).flatMap(({ name, width }) => (width ? [[name, width]] : []));
  return { ...Object.fromEntries(shown), ...(features && "columns" in features ? features.widths : {}) };
}

/** What is taken where feature columns are missing, by the names of the columns. */
export type MissingFeatures = Readonly<Record<string, { readonly fill: "mean" | number; readonly indicator: boolean }>>;

export function missingIn(features: NodesSpec["features"]): MissingFeatures {
  // A preview or mapping of an earlier version has none.
  return { ...(features && "columns" in features ? features.missing : {}) };
}
