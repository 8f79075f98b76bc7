import type { DatasetSpecInput, EdgesSection, NodesSection } from "@hopwise/contracts";
import type { Role } from "./column-roles.ts";
import {
  type DatasetMapping,
  type FileUse,
  type MissingFeatures,
  type PreviewFile,
  partOf,
  type RepeatedIds,
  tableKey,
} from "./dataset-mapping.ts";
import { columnsOfNodes, joinsOf, missingOfJoins } from "./joined-files.ts";

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
  joins: Pick<NodesSection, "join" | "splitFiles">,
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
export function repeatedRule(chosen: RepeatedIds | undefined): Pick<NodesSection, "repeatedIds"> {
  return chosen === "last" ? { repeatedIds: chosen } : {};
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
