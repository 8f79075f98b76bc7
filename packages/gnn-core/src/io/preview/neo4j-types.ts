import { valuesOf } from "./column-values.ts";
import { type FoundRelation, type FoundType, findRelation, shapeOf } from "./find-relations.ts";
import { type Neo4jTable, neo4jTables } from "./neo4j-headers.ts";
import { type NodeRoles, nodeRoles } from "./node-roles.ts";
import type { SampledFile } from "./sampled-file.ts";
import { typeOfFile } from "./type-names.ts";

/** What files of Neo4j's bulk import hold: a section for each group of ids, and one for each relation. */
export interface Neo4jTypes {
  readonly types: readonly Neo4jType[];
  readonly relations: readonly FoundRelation[];
  /** Files that hold headers alone */
  readonly headers: readonly SampledFile[];
  readonly notes: readonly string[];
}

export type Neo4jType = SampledFile & NodeRoles & { readonly type: string; readonly files: readonly string[] };

/** Null: no files of nodes and edges have such headers, or one of each, which need no types. */
export function neo4jTypes(sampled: readonly SampledFile[]): Neo4jTypes | null {
  const tables = neo4jTables(sampled);
  const { byName, groups, notes } = nodesByType(tables);
  const types = [...byName.values()];
  const found = types.map(foundType);
  const edges = tables.filter(({ kind }) => kind === "edges");
  const relations = joined(edges.flatMap((table) => relationOf(table, groups, found)));
  const headers = tables.flatMap(({ header }) => header ?? []);
  // One table of each, under its header, is read as any other.
  if (relations.length === 0 || (types.length < 2 && headers.length === 0)) return null;
  return { types, relations, headers, notes: [...notes, ...edges.flatMap(severalTypes)] };
}

function nodesByType(tables: readonly Neo4jTable[]) {
  const byName = new Map<string, Neo4jType>();
  const groups = new Map<string, string>();
  const notes: string[] = [];
  for (const table of tables.filter(({ kind }) => kind === "nodes")) {
    const fits = (name: string) => !byName.has(name) || haveSameColumns(byName.get(name)!, table);
    const type = namesOfNodes(table).find(fits);
    if (type === undefined) {
      notes.push(`${table.file.name} is left out: other files of its type have other columns. Give all the same.`);
      continue;
    }
    const known = byName.get(type);
    byName.set(type, known ? { ...known, files: [...known.files, ...filesOf(table)] } : nodesOf(table, type));
    const group = groupOf(table);
    if (group !== null) groups.set(group, type);
  }
  return { byName, groups, notes };
}

const filesOf = ({ parts }: Neo4jTable) => parts.map(({ name }) => name);
const at = (table: Neo4jTable, role: string) => table.columns.findIndex((column) => column.role === role);
const groupOf = (table: Neo4jTable) => table.columns[at(table, "ID")]?.group ?? null;

function haveSameColumns({ columns }: SampledFile, { file }: Neo4jTable): boolean {
  return columns.length === file.columns.length && columns.every(({ name }, i) => name === file.columns[i]!.name);
}

/** What the type may be called: the group of its ids; without one, a label that all rows have, or the file. */
function namesOfNodes(table: Neo4jTable): string[] {
  const group = groupOf(table);
  const names = group === null ? [...labelsOfAll(table).toReversed(), typeOfFile(table.file.name) ?? "node"] : [group];
  return names.map((name) => name.replaceAll("/", "_"));
}

function labelsOfAll(table: Neo4jTable): string[] {
  const label = at(table, "LABEL");
  const [first = [], ...rest] = label < 0 ? [] : valuesOf(table.file.rows, label).map((cell) => cell.split(";"));
  return first.filter((name) => rest.every((labels) => labels.includes(name)));
}

function nodesOf(table: Neo4jTable, type: string): Neo4jType {
  const { file, names, columns } = table;
  const named = { ...file, columns: file.columns.map((column, i) => ({ ...column, name: names[i]! })) };
  const found = nodeRoles(named, at(table, "ID"));
  const isSpecial = columns.map(({ role }) => role === "LABEL" || role === "IGNORE");
  const roles = found.roles.map((role, i) => (isSpecial[i] || role === "type" ? "none" : role));
  const explained = [...found.explained, ...isSpecial.flatMap((special, i) => (special ? [i] : []))];
  return { ...file, ...found, roles, explained, type, files: filesOf(table) };
}

function foundType(file: Neo4jType): FoundType {
  const ids = valuesOf(file.rows, file.roles.indexOf("id"));
  return { name: file.type, ids: new Set(ids), shapes: new Set(ids.map(shapeOf)) };
}

/** Without groups, ids are unique among all nodes: whose they are, the first rows tell. */
function relationOf(
  table: Neo4jTable,
  groups: ReadonlyMap<string, string>,
  types: readonly FoundType[],
): FoundRelation[] {
  const { file, columns } = table;
  const [src, dst] = [at(table, "START_ID"), at(table, "END_ID")];
  const ofGroup = (column: number) => groups.get(columns[column]?.group ?? "");
  const byIds = findRelation(file, { src, dst }, types);
  const source = ofGroup(src) ?? byIds?.source;
  const target = ofGroup(dst) ?? byIds?.target;
  if (!source || !target) return [];
  const [name = typeOfFile(file.name) ?? "edge"] = typesIn(table).length === 1 ? typesIn(table) : [];
  const type = at(table, "TYPE");
  return [{ file, files: filesOf(table), ends: { src, dst }, source, name, target, explained: type < 0 ? [] : [type] }];
}

function typesIn(table: Neo4jTable): string[] {
  const type = at(table, "TYPE");
  return type < 0 ? [] : [...new Set(table.parts.flatMap(({ rows }) => valuesOf(rows, type)))];
}

/** Files of the same relation are read together. */
function joined(relations: readonly FoundRelation[]): FoundRelation[] {
  const byTriple = new Map<string, FoundRelation>();
  for (const relation of relations) {
    const { source, name, target, files = [] } = relation;
    const triple = JSON.stringify([source, name, target]);
    const known = byTriple.get(triple);
    byTriple.set(triple, known ? { ...known, files: [...(known.files ?? []), ...files] } : relation);
  }
  return [...byTriple.values()];
}

function severalTypes(table: Neo4jTable): string[] {
  const types = typesIn(table);
  if (types.length < 2) return [];
  return [
    `${table.file.name} holds edges of several types (${types.slice(0, 4).join(", ")}), which are read as one relation. Write a file for each to tell them apart.`,
  ];
}
