import type { DatasetSpec, DatasetSpecInput } from "@hopwise/contracts";

export interface PreviewColumn {
  readonly name: string;
  readonly type: string;
  readonly role: string | null;
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

export type FileUse = "edges" | "nodes" | "features" | "ignore";
export const edgeRoles = ["ignore", "src", "dst", "weight", "type", "feature"] as const;
export const nodeRoles = [
  "ignore",
  "id",
  "type",
  "label",
  "labelFlag",
  "target",
  "split",
  "trainMask",
  "valMask",
  "testMask",
  "feature",
] as const;
export type EdgeRole = (typeof edgeRoles)[number];
export type NodeRole = (typeof nodeRoles)[number];
export type Role = EdgeRole | NodeRole;

export const roleNames: Readonly<Record<Role, string>> = {
  ignore: "not used",
  src: "source id",
  dst: "destination id",
  weight: "weight",
  type: "type",
  feature: "feature",
  id: "node id",
  label: "label",
  labelFlag: "0/1 label",
  target: "number to predict",
  split: "split",
  trainMask: "1 to learn from",
  valMask: "1 to choose by",
  testMask: "1 to judge by",
};

/** A sentence for each role, for someone who has never trained on a graph. */
export const roleHelp: Readonly<Record<Role, string>> = {
  src: "The node at which the edge begins. Every edge file needs one.",
  dst: "The node at which the edge ends. Every edge file needs one.",
  weight: "A number that says how strong the edge is. Some models and samplers count it.",
  type: "A text that says of which kind the edge or the node is. Kept with it, and read by no model yet; parts can be balanced by the types of nodes.",
  id: "Your name for the node, as the edges use it; it comes back in every download.",
  label: "The class to predict. Empty: not known, and predicted.",
  labelFlag: "1 where the node has the label that the column is called after, else 0. A node may have several.",
  target: "A number to predict. Empty: not known, and predicted.",
  split: "train, val or test: whether the node is learned from, chooses the best model, or judges it.",
  trainMask: "1 or true for the nodes that are learned from, in place of a split column.",
  valMask: "1 or true for the nodes that choose the best model.",
  testMask: "1 or true for the nodes that judge it.",
  feature:
    "A number that describes the node or the edge. Models learn from those of the nodes; those of edges are kept, and read by no model yet.",
  ignore: "The column is left out.",
};

type NodesSpec = NonNullable<DatasetSpec["nodes"]>;

/**
 * What the user decides on the mapping page. Roles go by column name: all edge files share them, all node files too.
 */
export interface DatasetMapping {
  readonly uses: Readonly<Record<string, FileUse>>;
  readonly edges: Readonly<Record<string, EdgeRole>>;
  readonly nodes: Readonly<Record<string, NodeRole>>;
  /** Cuts a cell of the label column into several labels; null: each cell is one class */
  readonly labelSeparator: string | null;
  readonly labelFile: NodesSpec["labelFile"];
  readonly missingLabels: NodesSpec["missingLabels"] | null;
  readonly splitWords: NodesSpec["splitWords"];
  /** Readers of files whose ending asks for another one, or whose reader was chosen */
  readonly readers: { readonly edges?: DatasetSpec["edges"]["reader"]; readonly nodes?: NodesSpec["reader"] };
  readonly directed: boolean;
  readonly duplicates: DatasetSpec["duplicates"];
  readonly selfLoops: DatasetSpec["selfLoops"];
  readonly missingNodes: DatasetSpec["missingNodes"];
}

/** The mapping that the API proposes; without a proposal, what the roles of the single columns suggest. */
export function mappingFromPreview(files: readonly PreviewFile[], proposed: DatasetSpec | null): DatasetMapping {
  if (proposed) return mappingFromSpec(files, proposed);
  const uses = Object.fromEntries(files.map((file) => [file.name, guessUse(file)]));
  const rolesOf = <R extends Role>(use: FileUse, known: readonly R[]) =>
    Object.fromEntries(
      files
        .filter((file) => uses[file.name] === use)
        .flatMap((file) => file.columns)
        .map((column) => [column.name, known.find((role) => role === column.role) ?? known[0]]),
    ) as Record<string, R>;
  return {
    uses,
    edges: rolesOf("edges", edgeRoles),
    nodes: rolesOf("nodes", nodeRoles),
    labelSeparator: null,
    labelFile: null,
    missingLabels: null,
    splitWords: {},
    readers: {},
    directed: false,
    duplicates: "drop",
    selfLoops: "drop",
    missingNodes: "error",
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
  const { edges, nodes } = spec;
  const matrix = nodes?.features && "file" in nodes.features ? [nodes.features.file] : [];
  return [...edges.files, ...(nodes?.files ?? []), ...matrix];
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

function mappingFromSpec(files: readonly PreviewFile[], spec: DatasetSpec): DatasetMapping {
  const { edges, nodes } = spec;
  const matrix = nodes?.features && "file" in nodes.features ? nodes.features.file : null;
  const useOf = (name: string): FileUse => {
    if (edges.files.includes(name)) return "edges";
    if (nodes?.files.includes(name)) return "nodes";
    return name === matrix ? "features" : "ignore";
  };
  const edgeRole = (column: string): EdgeRole => {
    if (column === edges.src) return "src";
    if (column === edges.dst) return "dst";
    if (column === edges.weight) return "weight";
    if (column === edges.type) return "type";
    return edges.features.includes(column) ? "feature" : "ignore";
  };
  const features = nodes?.features && "columns" in nodes.features ? new Set(nodes.features.columns) : new Set<string>();
  const nodeRole = (column: string): NodeRole => {
    if (column === nodes?.id) return "id";
    if (column === nodes?.type) return "type";
    if (column === nodes?.label) return "label";
    if (column === nodes?.split) return "split";
    for (const mask of ["train", "val", "test"] as const)
      if (column === nodes?.splitMasks?.[mask]) return `${mask}Mask`;
    if (nodes?.labelColumns.includes(column)) return "labelFlag";
    if (nodes?.targets.includes(column)) return "target";
    return features.has(column) ? "feature" : "ignore";
  };
  const columnsOf = (use: FileUse) => files.filter((file) => useOf(file.name) === use).flatMap((file) => file.columns);
  return {
    uses: Object.fromEntries(files.map((file) => [file.name, useOf(file.name)])),
    edges: Object.fromEntries(columnsOf("edges").map((column) => [column.name, edgeRole(column.name)])),
    nodes: Object.fromEntries(columnsOf("nodes").map((column) => [column.name, nodeRole(column.name)])),
    labelSeparator: nodes?.labelSeparator ?? null,
    labelFile: nodes?.labelFile ?? null,
    missingLabels: nodes?.missingLabels ?? null,
    splitWords: nodes?.splitWords ?? {},
    readers: { edges: edges.reader, nodes: nodes?.reader },
    directed: spec.directed,
    duplicates: spec.duplicates,
    selfLoops: spec.selfLoops,
    missingNodes: spec.missingNodes,
  };
}

/** Gives a column its role; a role that only one column can have leaves the column that had it. */
export function withRole<R extends Role>(roles: Readonly<Record<string, R>>, column: string, role: R) {
  const single = !["feature", "ignore", "labelFlag", "target"].includes(role);
  const kept = Object.entries(roles).map(([name, had]) => [name, single && had === role ? "ignore" : had]);
  return { ...(Object.fromEntries(kept) as Record<string, R>), [column]: role };
}

export type MappingResult = { readonly spec: DatasetSpecInput } | { readonly missing: readonly string[] };

/** The DatasetSpec of a mapping, or what is still to be decided, as sentences. */
export function specFromMapping(files: readonly PreviewFile[], mapping: DatasetMapping): MappingResult {
  const namesOf = (use: FileUse) => files.map((file) => file.name).filter((name) => mapping.uses[name] === use);
  const columnsOf = (use: FileUse, roles: Readonly<Record<string, Role>>, role: Role) => {
    const columns = files.filter((file) => mapping.uses[file.name] === use).flatMap((file) => file.columns);
    return [...new Set(columns.map((column) => column.name))].filter((name) => roles[name] === role);
  };
  const one = (use: "edges" | "nodes", role: Role) => columnsOf(use, mapping[use], role)[0] ?? null;
  const edgeFiles = namesOf("edges");
  const nodeFiles = namesOf("nodes");
  const matrices = namesOf("features");
  const src = one("edges", "src");
  const dst = one("edges", "dst");
  const id = one("nodes", "id");
  const missing = [
    edgeFiles.length === 0 && "Choose at least one file as edges.",
    edgeFiles.length > 0 && src === null && "Choose the column with the source id of each edge.",
    edgeFiles.length > 0 && dst === null && "Choose the column with the destination id of each edge.",
    nodeFiles.length > 0 && id === null && "Choose the column with the node id.",
    matrices.length > 1 && "Only one file can be the feature matrix.",
    matrices.length === 1 &&
      nodeFiles.length === 0 &&
      "A feature matrix needs a nodes file: its rows follow that file's order.",
  ].filter((line) => line !== false);
  if (missing.length > 0 || src === null || dst === null) return { missing };

  const featureColumns = columnsOf("nodes", mapping.nodes, "feature");
  const [matrix] = matrices;
  const trainMask = one("nodes", "trainMask");
  const columns = featureColumns.length > 0 ? { columns: featureColumns } : null;
  const nodes = id && {
    files: nodeFiles,
    id,
    type: one("nodes", "type"),
    label: one("nodes", "label"),
    labelSeparator: one("nodes", "label") === null ? null : mapping.labelSeparator,
    labelColumns: columnsOf("nodes", mapping.nodes, "labelFlag"),
    labelFile: mapping.labelFile,
    targets: columnsOf("nodes", mapping.nodes, "target"),
    split: one("nodes", "split"),
    splitWords: mapping.splitWords,
    splitMasks:
      trainMask === null ? null : { train: trainMask, val: one("nodes", "valMask"), test: one("nodes", "testMask") },
    ...(mapping.missingLabels ? { missingLabels: mapping.missingLabels } : {}),
    ...(mapping.readers.nodes ? { reader: mapping.readers.nodes } : {}),
    features: matrix === undefined ? columns : { file: matrix },
  };
  return {
    spec: {
      version: 1,
      edges: {
        files: edgeFiles,
        ...(mapping.readers.edges ? { reader: mapping.readers.edges } : {}),
        src,
        dst,
        weight: one("edges", "weight"),
        type: one("edges", "type"),
        features: columnsOf("edges", mapping.edges, "feature"),
      },
      nodes: nodes || null,
      directed: mapping.directed,
      duplicates: mapping.duplicates,
      selfLoops: mapping.selfLoops,
      missingNodes: mapping.missingNodes,
    },
  };
}
