import type { DatasetSpec, DatasetSpecInput } from "@hopwise/contracts";
import { type SetRole, setRoles } from "./column-roles.ts";
import { listWidths, type MissingFeatures, missingIn, type PreviewFile, type RepeatedIds } from "./dataset-mapping.ts";
import { columnFeatures, type MappingResult, repeatedRule } from "./spec-from-mapping.ts";

export type SetTable = keyof typeof setRoles;
export type SetUse = SetTable | "ignore";
const setTables: readonly SetTable[] = ["edges", "nodes", "graphs"];

/** What the user decides where the dataset is a set of graphs; by the name of the file, then of the column. */
export interface GraphSetMapping {
  readonly uses: Readonly<Record<string, SetUse>>;
  readonly roles: Readonly<Record<string, Readonly<Record<string, SetRole>>>>;
  /** Numbers in the lists of feature columns, and what is taken where some are missing; by column */
  readonly widths: Readonly<Record<string, number>>;
  readonly missing: MissingFeatures;
  /** What the form does not ask for */
  readonly kept: Pick<DatasetSpec, "graphs" | "edges" | "nodes"> | null;
  readonly duplicates: DatasetSpec["duplicates"];
  readonly repeatedIds: RepeatedIds;
  readonly selfLoops: DatasetSpec["selfLoops"];
  readonly missingNodes: "error" | "drop";
}

/** Begins with a spec of a set of graphs, an earlier version's or the proposed one; else with names of columns. */
export function graphSetMappingOf(files: readonly PreviewFile[], spec: DatasetSpec | null): GraphSetMapping {
  const given = spec?.graphs ? spec : null;
  const uses = Object.fromEntries(files.map((file) => [file.name, useOf(file, given)]));
  return {
    uses,
    roles: Object.fromEntries(files.map((file) => [file.name, rolesOf(file, uses[file.name] ?? "ignore", given)])),
    widths: listWidths(files, given?.nodes?.features ?? null),
    missing: missingIn(given?.nodes?.features ?? null),
    kept: given,
    duplicates: spec?.duplicates ?? "drop",
    repeatedIds: given?.nodes?.repeatedIds ?? "error",
    selfLoops: spec?.selfLoops ?? "drop",
    missingNodes: spec?.missingNodes === "drop" ? "drop" : "error",
  };
}

function useOf({ name, columns }: PreviewFile, spec: DatasetSpec | null): SetUse {
  if (spec) return setTables.find((table) => spec[table]?.files.includes(name)) ?? "ignore";
  const roles = columns.map(({ role }) => role);
  if (roles.includes("src")) return "edges";
  return roles.includes("id") ? "nodes" : "ignore";
}

function rolesOf({ columns }: PreviewFile, use: SetUse, spec: DatasetSpec | null) {
  const known: readonly SetRole[] = use === "ignore" ? [] : setRoles[use];
  const roleOf = ({ name, role }: PreviewFile["columns"][number]): SetRole =>
    (spec && use !== "ignore" ? roleIn(spec, use, name) : known.find((one) => one === role)) ?? "ignore";
  return Object.fromEntries(columns.map((column) => [column.name, roleOf(column)]));
}

function roleIn({ edges, nodes, graphs }: DatasetSpec, table: SetTable, column: string): SetRole | undefined {
  const features = nodes?.features && "columns" in nodes.features ? nodes.features : null;
  const named: Readonly<Record<SetTable, readonly (readonly [SetRole, boolean | undefined])[]>> = {
    edges: [
      ["src", column === edges?.src],
      ["dst", column === edges?.dst],
      ["graph", column === edges?.graph],
      ["weight", column === edges?.weight],
    ],
    nodes: [
      ["id", column === nodes?.id],
      ["graph", column === nodes?.graph],
      ["kind", features?.oneHot?.includes(column)],
      ["feature", features?.columns.includes(column)],
      ["multiHot", column === features?.multiHot],
    ],
    graphs: [
      ["graph", column === graphs?.id],
      ["label", column === graphs?.label],
      ["target", graphs?.targets.includes(column)],
      ["split", column === graphs?.split],
      ["fold", column === graphs?.fold],
    ],
  };
  return named[table].find(([, isIt]) => isIt)?.[0];
}

/** The DatasetSpec of a mapping, or what is still to be decided, as sentences. */
export function specOfSet(mapping: GraphSetMapping): MappingResult {
  const files = (table: SetTable) => Object.keys(mapping.uses).filter((file) => mapping.uses[file] === table);
  const columns = (table: SetTable, role: SetRole) => {
    const roles = files(table).flatMap((file) => Object.entries(mapping.roles[file] ?? {}));
    return [...new Set(roles.filter(([, had]) => had === role).map(([name]) => name))];
  };
  const one = (table: SetTable, role: SetRole) => columns(table, role)[0];
  const missing = missingOf((table) => files(table).length > 0, one);
  if (missing.length > 0) return { missing };
  const { kept, duplicates, selfLoops, missingNodes } = mapping;
  const joined = joinedOf(mapping);
  const kinds = [...columns("nodes", "kind"), ...joined.kinds];
  const numbers = [...columns("nodes", "feature"), ...joined.numbers];
  const features = featuresOf(kinds, numbers, one("nodes", "multiHot") ?? joined.list, mapping);
  const graphOfEdges = one("edges", "graph");
  const fold = one("graphs", "fold") ?? null;
  const { foldFile = null, missingLabels, splitWords } = kept?.graphs ?? {};
  return {
    spec: {
      version: 1,
      edges: {
        ...readerOf(kept?.edges),
        files: files("edges"),
        src: one("edges", "src") ?? "",
        dst: one("edges", "dst") ?? "",
        weight: one("edges", "weight") ?? null,
        ...(graphOfEdges !== undefined && { graph: graphOfEdges }),
      },
      nodes: {
        ...readerOf(kept?.nodes),
        files: files("nodes"),
        id: one("nodes", "id") ?? "",
        graph: one("nodes", "graph") ?? "",
        ...(joined.join.length > 0 && { join: joined.join }),
        ...(!(features && "file" in features) && repeatedRule(mapping.repeatedIds)),
        features,
      },
      graphs: {
        ...readerOf(kept?.graphs),
        ...(missingLabels && { missingLabels }),
        ...(splitWords && { splitWords }),
        files: files("graphs"),
        id: one("graphs", "graph") ?? "",
        label: one("graphs", "label") ?? null,
        targets: columns("graphs", "target"),
        split: one("graphs", "split") ?? null,
        fold,
        foldFile: fold === null ? foldFile : null,
      },
      duplicates,
      selfLoops,
      missingNodes,
    },
  };
}

/** Further tables of the nodes, which the form does not show, and what they bring: kept where not used otherwise. */
function joinedOf({ kept, uses, roles }: GraphSetMapping) {
  const { join: all = [], features } = kept?.nodes ?? {};
  const join = all.filter(({ files }) => files.every((file) => uses[file] === "ignore"));
  const named = new Set(
    join.flatMap(({ columns = [] }) => columns.map((one) => (typeof one === "string" ? one : one.as))),
  );
  // A table whose columns are not named brings all that it has.
  const bringsAll = join.some(({ columns }) => columns === undefined);
  const own = new Set(Object.keys(uses).flatMap((file) => (uses[file] === "nodes" ? Object.keys(roles[file]!) : [])));
  const isBrought = (name: string) => named.has(name) || (bringsAll && !own.has(name));
  const ofColumns = features && "columns" in features ? features : null;
  return {
    join,
    numbers: (ofColumns?.columns ?? []).filter(isBrought),
    kinds: (ofColumns?.oneHot ?? []).filter(isBrought),
    list: [ofColumns?.multiHot ?? null].find((name) => name !== null && isBrought(name)) ?? null,
  };
}

type Features = NonNullable<DatasetSpecInput["nodes"]>["features"];

/** A matrix stays where no column was chosen in its place. */
function featuresOf(kinds: string[], numbers: string[], lists: string | null, mapping: GraphSetMapping): Features {
  const kept = mapping.kept?.nodes?.features;
  const { widths, missing } = mapping;
  return columnFeatures(numbers, { widths, missing }, kinds, lists) ?? (kept && "file" in kept ? kept : null);
}

function readerOf(section: { readonly reader?: unknown } | null | undefined) {
  const reader = section?.reader as NonNullable<DatasetSpecInput["edges"]>["reader"];
  return reader ? { reader } : {};
}

function missingOf(
  isThere: (table: SetTable) => boolean,
  one: (table: SetTable, role: SetRole) => string | undefined,
): readonly string[] {
  const wanted: readonly (readonly [SetTable, SetRole, string])[] = [
    ["edges", "src", "Choose the column with the source id of each edge."],
    ["edges", "dst", "Choose the column with the destination id of each edge."],
    ["nodes", "id", "Choose the column with the node id."],
    ["nodes", "graph", "Choose the column of the nodes that says of which graph each is."],
    ["graphs", "graph", "Choose the column with the graph id in the table of graphs."],
  ];
  const tables = setTables.filter((table) => !isThere(table));
  const known = one("graphs", "label") ?? one("graphs", "target");
  return [
    ...tables.map((table) => `Choose at least one file as ${table}.`),
    ...wanted.flatMap(([table, role, sentence]) => (isThere(table) && !one(table, role) ? [sentence] : [])),
    ...(isThere("graphs") && !known ? ["Choose what is to be learnt of each graph: its label, or a number."] : []),
  ];
}
