import type { DatasetSpec, DatasetSpecInput, EdgesSection, NodesSection } from "@hopwise/contracts";
import { type EdgeRole, edgeRoles, type NodeRole, nodeRoles, type Role } from "./column-roles.ts";
import {
  columnsOfNodes,
  type JoinedFile,
  joinsIn,
  joinsOf,
  type ListUse,
  missingOfJoins,
  rolesOfJoins,
  sidesIn,
} from "./joined-files.ts";

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

export type MappingResult = { readonly spec: DatasetSpecInput } | { readonly missing: readonly string[] };

/** The DatasetSpec of a mapping, or what is still to be decided, as sentences. */
export function specFromMapping(files: readonly PreviewFile[], mapping: DatasetMapping): MappingResult {
  const roles = rolesOf(files, mapping);
  const ofJoins = missingOfJoins(files, mapping).filter((line) => line !== false);
  const missing = [...missingRoles(roles), ...ofJoins];
  const src = roles.column("edges", "src");
  const dst = roles.column("edges", "dst");
  if (missing.length > 0 || src === null || dst === null) return { missing };
  return {
    spec: {
      version: 1,
      edges: {
        files: roles.files("edges"),
        ...roles.reader("edges"),
        src,
        dst,
        weight: roles.column("edges", "weight"),
        type: roles.column("edges", "type"),
        features: roles.columns("edges", "feature"),
        split: roles.column("edges", "split"),
        splitFiles: roles.column("edges", "split") === null ? mapping.edgeSplitFiles : null,
        reverseTypes: mapping.reverseTypes && !mapping.directed && roles.column("edges", "type") !== null,
        time: roles.column("edges", "time"),
        ...negativesOf(roles),
        ...predictedOfEdges(roles),
      },
      nodes: nodesSpec(roles, mapping, joinsOf(files, mapping)),
      nodeTypes: null,
      relations: null,
      directed: mapping.directed,
      duplicates: mapping.duplicates,
      selfLoops: mapping.selfLoops,
      missingNodes: mapping.missingNodes,
    },
  };
}

/** What the spec says is to be predicted of edges; nothing where no column is */
function predictedOfEdges({ column, columns }: Roles): Pick<EdgesSection, "label" | "targets"> {
  const label = column("edges", "label");
  const targets = columns("edges", "target");
  return { ...(label !== null && { label }), ...(targets.length > 0 && { targets }) };
}

/** Files of pairs without a link, where there are some */
function negativesOf({ files }: Roles): Pick<EdgesSection, "negatives"> {
  const [val, test] = [files("valNegatives"), files("testNegatives")];
  return val.length > 0 && test.length > 0 ? { negatives: { val, test } } : {};
}

/** Who plays which role: files by their use, columns by theirs. */
interface Roles {
  readonly files: (use: FileUse) => string[];
  readonly columns: (use: "edges" | "nodes", role: Role) => string[];
  /** What the spec says of the reader; nothing where the ending says enough */
  readonly reader: (use: "edges" | "nodes") => { readonly reader?: EdgesSection["reader"] };
  /** The first of them; null: none */
  readonly column: (use: "edges" | "nodes", role: Role) => string | null;
}

function rolesOf(all: readonly PreviewFile[], mapping: DatasetMapping): Roles {
  const used = (use: FileUse) => all.filter((file) => mapping.uses[tableKey(file)] === use);
  const columns = (use: "edges" | "nodes", role: Role) => {
    const own = used(use).flatMap((file) => file.columns.map(({ name }) => name));
    const names = use === "nodes" ? columnsOfNodes(all, mapping) : new Set(own);
    return [...names].filter((name) => mapping[use][name] === role);
  };
  const reader = (use: "edges" | "nodes") => {
    const part = used(use).find((file) => partOf(file) !== null);
    const kept = mapping.readers[use];
    if (!part) return kept ? { reader: kept } : {};
    const options = kept?.type === part.reader ? kept?.options : {};
    return { reader: { type: part.reader ?? "", options: { ...options, part: partOf(part) } } };
  };
  return {
    files: (use) => used(use).map(({ name }) => name),
    columns,
    reader,
    column: (use, role) => columns(use, role)[0] ?? null,
  };
}

function missingRoles({ files, column }: Roles): readonly string[] {
  const hasEdges = files("edges").length > 0;
  const hasNodes = files("nodes").length > 0;
  const numMatrices = files("features").length;
  return [
    !hasEdges && "Choose at least one file as edges.",
    hasEdges && column("edges", "src") === null && "Choose the column with the source id of each edge.",
    hasEdges && column("edges", "dst") === null && "Choose the column with the destination id of each edge.",
    hasNodes && column("nodes", "id") === null && "Choose the column with the node id.",
    files("valNegatives").length > 0 !== files("testNegatives").length > 0 &&
      "Pairs without a link are needed both for validation and for the test: choose a file of each.",
    numMatrices > 1 && "Only one file can be the feature matrix.",
    numMatrices === 1 && !hasNodes && "A feature matrix needs a nodes file: its rows follow that file's order.",
  ].filter((line) => line !== false);
}

/** What the spec says of the nodes; null: no file describes them, and they are what the edges name. */
function nodesSpec(
  { files, columns, column, reader }: Roles,
  mapping: DatasetMapping,
  joins: Pick<NodesSpec, "join" | "splitFiles">,
): DatasetSpecInput["nodes"] {
  const id = column("nodes", "id");
  if (id === null) return null;
  const [matrix] = files("features");
  const features = columns("nodes", "feature");
  const kinds = columns("nodes", "kind");
  const train = column("nodes", "trainMask");
  return {
    files: files("nodes"),
    id,
    type: column("nodes", "type"),
    ...(column("nodes", "type") !== null && mapping.typeRule && { typeRule: mapping.typeRule }),
    label: column("nodes", "label"),
    labelSeparator: column("nodes", "label") === null ? null : mapping.labelSeparator,
    labelColumns: columns("nodes", "labelFlag"),
    labelFile: mapping.labelFile,
    targets: columns("nodes", "target"),
    split: column("nodes", "split"),
    splitWords: mapping.splitWords,
    splitMasks: train === null ? null : { train, val: column("nodes", "valMask"), test: column("nodes", "testMask") },
    ...(mapping.missingLabels ? { missingLabels: mapping.missingLabels } : {}),
    ...reader("nodes"),
    ...joins,
    ...(matrix === undefined && repeatedRule(mapping.repeatedIds)),
    features:
      matrix === undefined ? columnFeatures(features, mapping, kinds, column("nodes", "multiHot")) : { file: matrix },
  };
}

/** What the spec says of repeated ids; nothing where they are refused, as they are without a word. */
export function repeatedRule(chosen: RepeatedIds | undefined): Pick<NodesSpec, "repeatedIds"> {
  return chosen === "last" ? { repeatedIds: chosen } : {};
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

/** What the spec says of feature columns; null: there are none. */
export function columnFeatures(
  columns: readonly string[],
  { widths, missing }: { readonly widths: Readonly<Record<string, number>>; readonly missing: MissingFeatures },
  kinds: readonly string[],
  lists: string | null,
) {
  const chosen = <T>(all: Readonly<Record<string, T>>, more: string | null = null) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => columns.includes(name) || name === more)) as Record<
      string,
      T
    >;
  if (columns.length + kinds.length === 0 && lists === null) return null;
  const oneHot = kinds.length > 0 && { oneHot: [...kinds] };
  const multiHot = lists !== null && { multiHot: lists };
  return { columns: [...columns], widths: chosen(widths, lists), missing: chosen(missing), ...oneHot, ...multiHot };
}
