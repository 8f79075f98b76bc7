import type { DatasetSpec, DatasetSpecInput, NodesSection } from "@hopwise/contracts";
import { type EdgeRole, edgeRoles, type NodeRole, type Role, roleNames } from "./column-roles.ts";
import {
  type DatasetMapping,
  isMatrix,
  listWidths,
  type MissingFeatures,
  missingIn,
  nodeRoleIn,
  type PreviewFile,
  type RepeatedIds,
} from "./dataset-mapping.ts";
import { filesOf, filesOfType, ownName, stemOf, typedNodeRoles, typesWithFile } from "./files-of-types.ts";
import { joinsIn, joinsOf, type ListUse, rolesOfJoins } from "./joined-files.ts";
import { columnFeatures, type MappingResult, repeatedRule } from "./spec-from-mapping.ts";
import { ownersIn, tablesOfType, undecidedOfJoins, usedRoles } from "./typed-joins.ts";
import { nodesOfEdges, typesWithoutFile } from "./types-of-edges.ts";

export type TypedUse = "type" | "relation" | "joined" | ListUse | "features" | "ignore";
/** The name of a relation is the type of its edges, which no column says. */
export type RelationRole = Exclude<EdgeRole, "type">;
export const relationRoles: readonly RelationRole[] = edgeRoles.filter((role) => role !== "type");

type RelationSpec = NonNullable<DatasetSpec["relations"]>[number];

/** A file of nodes of one type. */
export interface TypeMapping {
  readonly name: string;
  readonly roles: Readonly<Record<string, NodeRole>>;
  /** Numbers in each list of the columns of such */
  readonly widths: Readonly<Record<string, number>>;
  /** What is taken where feature columns are missing */
  readonly missing: MissingFeatures;
  /** What the form does not ask for */
  readonly kept: Partial<NodesSection>;
}

/** A file of edges of one relation. */
export interface RelationMapping {
  readonly source: string;
  readonly name: string;
  readonly target: string;
  /** What the edges that lead back are called; "": rev_<name>, null: none are added */
  readonly reverse: string | null;
  readonly roles: Readonly<Record<string, RelationRole>>;
  readonly reader: RelationSpec["reader"];
  /** Files of held-out edges, which the form does not ask for */
  readonly splitFiles: RelationSpec["splitFiles"];
}

/** What the user decides where each type of node and each relation has files of its own; by the name of the file. */
export interface TypedMapping {
  readonly uses: Readonly<Record<string, TypedUse>>;
  readonly types: Readonly<Record<string, TypeMapping>>;
  readonly relations: Readonly<Record<string, RelationMapping>>;
  /** Names of types that have no file: their nodes are the ids that edges name. */
  readonly withoutFile: readonly string[];
  /** The type that matrices, joined tables and lists of ids say more of */
  readonly owners: Readonly<Record<string, string>>;
  /** Tables that are joined to those of a type */
  readonly joins: DatasetMapping["joins"];
  /** How files that list ids are read; left out: their first column */
  readonly lists: DatasetMapping["lists"];
  /** Files of nodes, or joined ones, all of whose rows are of one side of the split */
  readonly sides: DatasetMapping["sides"];
  readonly duplicates: DatasetSpec["duplicates"];
  readonly selfLoops: DatasetSpec["selfLoops"];
  readonly missingNodes: DatasetSpec["missingNodes"];
}

/** Begins with a spec of types, an earlier version's or the proposed one; else with what names of files suggest. */
export function typedMappingOf(files: readonly PreviewFile[], spec: DatasetSpec | null): TypedMapping {
  const given = spec?.relations ? spec : null;
  const withoutFile = given ? typesWithoutFile(given) : [];
  const said = ownersIn(files, spec);
  const useOf = (file: PreviewFile) => said.uses[file.name] ?? plainUseOf(file, given);
  const types = Object.fromEntries(files.map((file) => [file.name, typeMapping(file, files, given)]));
  const relations = Object.fromEntries(files.map((file) => [file.name, relationMapping(file, given)]));
  const names = [...new Set(files.filter((file) => useOf(file) === "type").map(({ name }) => types[name]!.name))];
  const matrices = files
    .filter(isMatrix)
    .map(({ name }) => [name, ownerOf(name, given) ?? names.find((type) => stemOf(name).includes(type)) ?? ""]);
  return {
    uses: Object.fromEntries(files.map((file) => [file.name, useOf(file)])),
    types,
    relations,
    withoutFile,
    owners: { ...Object.fromEntries(matrices), ...said.owners },
    joins: said.joins,
    lists: said.lists,
    sides: said.sides,
    duplicates: spec?.duplicates ?? "drop",
    selfLoops: spec?.selfLoops ?? "drop",
    missingNodes: spec?.missingNodes === "drop" ? "drop" : "error",
  };
}

function plainUseOf(file: PreviewFile, spec: DatasetSpec | null): TypedUse {
  if (spec) {
    if (sectionOf(file.name, spec)) return "type";
    if (spec.relations?.some(({ files }) => files.includes(file.name))) return "relation";
    return ownerOf(file.name, spec) === undefined ? "ignore" : "features";
  }
  if (isMatrix(file)) return "features";
  const roles = file.columns.map(({ role }) => role);
  if (roles.includes("src") || /edge|link|rel/i.test(ownName(file.name))) return "relation";
  return file.columns.length > 0 ? "type" : "ignore";
}

function sectionOf(file: string, spec: DatasetSpec | null): readonly [string, NodesSection] | undefined {
  const ofEdges = spec === null ? [] : typesWithoutFile(spec);
  return Object.entries(spec?.nodeTypes ?? {}).find(
    ([name, { files }]) => files.includes(file) && !ofEdges.includes(name),
  );
}

/** The type whose features a matrix holds. */
function ownerOf(file: string, spec: DatasetSpec | null): string | undefined {
  const owner = ({ features }: NodesSection) => features !== null && "file" in features && features.file === file;
  return Object.entries(spec?.nodeTypes ?? {}).find(([, section]) => owner(section))?.[0];
}

function typeMapping(file: PreviewFile, files: readonly PreviewFile[], spec: DatasetSpec | null): TypeMapping {
  const found = sectionOf(file.name, spec);
  if (!found) {
    const known = (role: string | null) => typedNodeRoles.find((one) => one === role) ?? "ignore";
    const roles = rolesBy(file, ({ role }) => known(role));
    return { name: stemOf(file.name), roles, widths: listWidths([file], null), missing: {}, kept: {} };
  }
  const [name, section] = found;
  const roleOf = nodeRoleIn(section);
  const { labelSeparator, labelFile, missingLabels, splitWords, repeatedIds, reader } = section;
  const given = { ...repeatedRule(repeatedIds), ...(reader && { reader }) };
  const kept = { labelSeparator, labelFile, missingLabels, splitWords, ...given };
  const joined = rolesOfJoins(joinsIn(section, files).joins, roleOf);
  const roles = { ...rolesBy(file, (column) => roleOf(column.name)), ...joined };
  return { name, roles, widths: listWidths([file], section.features), missing: missingIn(section.features), kept };
}

function relationMapping(file: PreviewFile, spec: DatasetSpec | null): RelationMapping {
  const found = spec?.relations?.find(({ files }) => files.includes(file.name));
  if (!found) {
    // Features of edges go with labels, which no name of a column gives away.
    const known = (role: string | null) =>
      (["src", "dst", "weight", "split", "time"] as const).find((one) => one === role) ?? "ignore";
    const roles = rolesBy(file, ({ role }) => known(role));
    const unknown = { reader: undefined, splitFiles: undefined };
    return { source: "", name: stemOf(file.name), target: "", reverse: "", roles, ...unknown };
  }
  const { source, name, target, reverse, reader, splitFiles } = found;
  const named = typeof reverse === "string" ? reverse : reverse ? "" : null;
  const roles = rolesBy(file, (column) => relationRoleIn(found, column.name));
  return { source, name, target, reverse: named, roles, reader, splitFiles };
}

function relationRoleIn(relation: RelationSpec, column: string): RelationRole {
  const single = (["src", "dst", "weight", "label", "split", "time"] as const).find(
    (role) => relation[role] === column,
  );
  if (single) return single;
  if (relation.targets?.includes(column)) return "target";
  return relation.features?.includes(column) ? "feature" : "ignore";
}

function rolesBy<R extends Role>(
  file: PreviewFile,
  roleOf: (column: PreviewFile["columns"][number]) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(file.columns.map((column) => [column.name, roleOf(column)])) as Record<string, R>;
}

/** Names of the types that the chosen files hold, each once. */
export function typesOf(mapping: TypedMapping): readonly string[] {
  return [...new Set([...typesWithFile(mapping), ...mapping.withoutFile])];
}

/** What becomes of repeated ids, of types whose features are not the rows of a matrix; null: there are none such. */
export function repeatedIdsOf(mapping: TypedMapping): RepeatedIds | null {
  const files = filesWithRows(mapping);
  if (files.length === 0) return null;
  return files.some((file) => mapping.types[file]?.kept.repeatedIds === "last") ? "last" : "error";
}

export function withRepeatedIds(mapping: TypedMapping, chosen: RepeatedIds): TypedMapping {
  const changed = filesWithRows(mapping).map((file) => {
    const type = mapping.types[file]!;
    return [file, { ...type, kept: { ...type.kept, repeatedIds: chosen } }] as const;
  });
  return { ...mapping, types: { ...mapping.types, ...Object.fromEntries(changed) } };
}

function filesWithRows(mapping: TypedMapping): readonly string[] {
  const withMatrix = filesOf(mapping, "features").map((file) => mapping.owners[file]);
  return filesOf(mapping, "type").filter((file) => !withMatrix.includes(mapping.types[file]!.name.trim()));
}

/** The DatasetSpec of a mapping, or what is still to be decided, as sentences. */
export function specOfTypes(files: readonly PreviewFile[], mapping: TypedMapping): MappingResult {
  const missing = undecidedIn(files, mapping);
  if (missing.length > 0) return { missing };
  return {
    spec: {
      version: 1,
      edges: null,
      nodes: null,
      nodeTypes: Object.fromEntries([
        ...sectionsWithoutFile(mapping),
        ...typesWithFile(mapping).map((type) => [type, nodesOf(type, files, mapping)] as const),
      ]),
      relations: relationsOf(mapping),
      directed: false,
      duplicates: mapping.duplicates,
      selfLoops: mapping.selfLoops,
      missingNodes: mapping.missingNodes,
    },
  };
}

function sectionsWithoutFile(mapping: TypedMapping) {
  const relations = filesOf(mapping, "relation").map((file) => [file, mapping.relations[file]!] as const);
  return mapping.withoutFile.flatMap((type) => {
    const section = nodesOfEdges(type, relations);
    return section ? [[type, section] as const] : [];
  });
}

function undecidedIn(all: readonly PreviewFile[], mapping: TypedMapping): readonly string[] {
  const [types, relations] = [filesOf(mapping, "type"), filesOf(mapping, "relation")];
  const known = typesOf(mapping);
  return [
    types.length + mapping.withoutFile.length === 0 && "Choose at least one file as nodes of a type.",
    relations.length === 0 && "Choose at least one file as edges of a relation.",
    ...types.map((file) => objectionToType(file, mapping.types[file]!)),
    ...relations.map((file) => objectionToRelation(file, mapping.relations[file]!, known)),
    ...undecidedOfJoins(all, mapping, typesWithFile(mapping)),
    ...matricesWithoutOwner(mapping, known),
  ].filter((line) => line !== false);
}

function objectionToType(file: string, { name, roles }: TypeMapping): string | false {
  if (name.trim() === "") return `${file}: name the type of its nodes.`;
  if (name.includes("/")) return `${file}: a type is called by a name without a slash.`;
  return columnsOf(roles, "id").length === 0 && `${file}: choose the column with the node id.`;
}

function objectionToRelation(file: string, relation: RelationMapping, types: readonly string[]): string | false {
  const { source, name, target, roles } = relation;
  if (!types.includes(source) || !types.includes(target)) return `${file}: choose the types of nodes that it joins.`;
  if (name.trim() === "") return `${file}: name the relation.`;
  const has = (role: RelationRole) => columnsOf(roles, role).length > 0;
  if (!has("src") || !has("dst"))
    return `${file}: choose the columns with the source id and the destination id of each edge.`;
  return (
    has("feature") &&
    !(has("label") || has("target")) &&
    `${file}: ${roleNames.feature} goes with a label or a number to predict; choose one, or leave it out.`
  );
}

function matricesWithoutOwner(mapping: TypedMapping, types: readonly string[]): readonly (string | false)[] {
  const owners = filesOf(mapping, "features").map((file) => [file, mapping.owners[file] ?? ""] as const);
  return owners.map(([file, type], i) => {
    if (!types.includes(type)) return `${file}: choose the type whose features it holds.`;
    const isSecond = owners.findIndex(([, other]) => other === type) < i;
    return isSecond && `${file}: ${type} has a feature matrix already.`;
  });
}

function columnsOf<R extends string>(roles: Readonly<Record<string, R>>, role: R): string[] {
  return Object.keys(roles).filter((column) => roles[column] === role);
}

function nodesOf(
  type: string,
  all: readonly PreviewFile[],
  mapping: TypedMapping,
): NonNullable<DatasetSpecInput["nodes"]> {
  const files = filesOfType(type, mapping);
  const { kept: given } = mapping.types[files[0]!]!;
  const { repeatedIds, ...kept } = given;
  const tables = tablesOfType(type, mapping);
  const roles = usedRoles(all, tables);
  const matrix = filesOf(mapping, "features").find((file) => mapping.owners[file] === type);
  const one = (role: NodeRole) => columnsOf(roles, role)[0] ?? null;
  const features = columnsOf(roles, "feature");
  const kinds = columnsOf(roles, "kind");
  const train = one("trainMask");
  return {
    ...kept,
    ...(matrix === undefined && repeatedRule(repeatedIds)),
    files: [...files],
    id: one("id")!,
    type: null,
    label: one("label"),
    labelSeparator: one("label") === null ? null : (kept.labelSeparator ?? null),
    labelColumns: columnsOf(roles, "labelFlag"),
    targets: columnsOf(roles, "target"),
    split: one("split"),
    splitMasks: train === null ? null : { train, val: one("valMask"), test: one("testMask") },
    ...joinsOf(all, tables),
    features:
      matrix === undefined
        ? columnFeatures(features, mapping.types[files[0]!]!, kinds, one("multiHot"))
        : { file: matrix },
  };
}

/** Files of one relation are read by the columns of the first. */
function relationsOf(mapping: TypedMapping): RelationSpec[] {
  const found = new Map<string, RelationSpec>();
  for (const file of filesOf(mapping, "relation")) {
    const { source, name, target, reverse, roles, reader, splitFiles } = mapping.relations[file]!;
    const triple = JSON.stringify([source, name.trim(), target]);
    const earlier = found.get(triple);
    if (earlier) {
      found.set(triple, { ...earlier, files: [...earlier.files, file] });
      continue;
    }
    const [src = "", dst = ""] = [columnsOf(roles, "src")[0], columnsOf(roles, "dst")[0]];
    const back = reverse === null ? false : reverse.trim() || true;
    const weight = columnsOf(roles, "weight")[0] ?? null;
    found.set(triple, {
      source,
      name: name.trim(),
      target,
      files: [file],
      ...(reader && { reader }),
      src,
      dst,
      weight,
      ...saidOfEdges(roles),
      ...(splitFiles && { splitFiles }),
      reverse: back,
    });
  }
  return [...found.values()];
}

/** What is to be predicted of the edges, what goes with it, and their sides and times. */
function saidOfEdges(roles: RelationMapping["roles"]): Partial<RelationSpec> {
  const single = (["label", "split", "time"] as const).flatMap((role) => {
    const [column] = columnsOf(roles, role);
    return column === undefined ? [] : [[role, column] as const];
  });
  const [targets, features] = [columnsOf(roles, "target"), columnsOf(roles, "feature")];
  return {
    ...Object.fromEntries(single),
    ...(targets.length > 0 && { targets }),
    ...(features.length > 0 && { features }),
  };
}
