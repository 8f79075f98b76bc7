import type { SplitSide } from "../join-section.ts";
import { baseName } from "./base-name.ts";
import { valuesOf } from "./column-values.ts";
import { named } from "./left-out.ts";
import { isCalledAfterLabels, type NodeRoles } from "./node-roles.ts";
import { sampleRows } from "./sample-rows.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";

/** `files`: all pieces of the table; left out: it is one file */
export type NodeTable = SampledFile & NodeRoles & { readonly files?: readonly string[] };

/** All files of a table */
export function filesOf({ name, files }: Pick<NodeTable, "name" | "files">): readonly string[] {
  return files ?? [name];
}

/** A table that is joined to the first one of the nodes */
export interface JoinedSample {
  readonly file: NodeTable;
  readonly id: number;
  /** Whether it has ids that are not among the nodes, as far as the samples tell */
  readonly drops: boolean;
  /** What the nodes get of it: the place in its file, and the name */
  readonly taken: readonly { readonly column: number; readonly as: string }[];
}

/** A list of the ids of one side of the split */
export interface IdList {
  readonly side: SplitSide;
  readonly file: SampledFile;
  readonly id: string;
  /** Whether its first line is an id, which was taken for the name of the column */
  readonly isHeaderless: boolean;
}

/** What is joined to a table of nodes */
export interface Joins {
  readonly tables: readonly JoinedSample[];
  readonly lists: readonly IdList[];
  readonly notes: readonly string[];
}

export const noJoins: Joins = { tables: [], lists: [], notes: [] };

type Role = ColumnRole;
const labelRoles: readonly Role[] = ["label", "target"];
const typeRoles: readonly Role[] = ["type"];
const listRoles: readonly Role[] = ["multiHot"];
const splitRoles: readonly Role[] = ["split", "trainMask", "valMask", "testMask"];

/** Roles that one table alone has: that which is called after labels, else the first that has some. */
function ownerOf(tables: readonly NodeTable[], roles: readonly Role[]): NodeTable | undefined {
  const having = tables.filter((table) => table.roles.some((role) => roles.includes(role)));
  const called = roles === labelRoles ? having.find(({ name }) => isCalledAfterLabels(name)) : undefined;
  return called ?? having[0];
}

function withoutRoles(table: NodeTable, dropped: readonly Role[]): NodeTable {
  return { ...table, roles: table.roles.map((role) => (dropped.includes(role) ? "none" : role)) };
}

/**
 * The first table with the columns of the others behind its own, row by row as their ids say, so that it can be mapped
 * as one; what several tables have that a node has once (label, split, type) is taken of one of them.
 *
 * @param hasMatrix the features are a matrix, and no columns
 */
export function joinSamples<T extends NodeTable>(
  base: T,
  seconds: readonly NodeTable[],
  hasMatrix: boolean,
): { readonly table: T; readonly joins: Joins } {
  const tables: readonly NodeTable[] = [base, ...seconds];
  const owners = [labelRoles, splitRoles, typeRoles, listRoles].map((roles) => ({
    roles,
    owner: ownerOf(tables, roles),
  }));
  const chosen = tables.map((table) => {
    const others = owners.filter(({ owner }) => owner !== table).flatMap(({ roles }) => roles);
    return withoutRoles(table, table !== base && hasMatrix ? [...others, "feature", "multiHot"] : others);
  });
  const [own, ...rest] = chosen as [NodeTable, ...NodeTable[]];
  const names = new Set(base.columns.map(({ name }) => name));
  const ids = idsOf(base, base.roles.indexOf("id"));
  const found = rest.map((file) => joinedSample(file, names, { ids, isWhole: isWhole(base) }));
  const joined = found.filter(({ taken }) => taken.length > 0);
  const spared = found.filter(({ taken }) => taken.length === 0);
  const [label, split, type] = owners.map(({ owner }) => owner);
  const table = {
    ...base,
    roles: [...own.roles, ...joined.flatMap(({ file, taken }) => taken.map(({ column }) => file.roles[column]!))],
    columns: [
      ...base.columns,
      ...joined.flatMap(({ file, taken }) => taken.map(({ column, as }) => ({ ...file.columns[column]!, name: as }))),
    ],
    rows: joinedRows(base, joined),
    missingLabels: label?.missingLabels ?? [],
    splitWords: split?.splitWords ?? {},
    severalTypes: type?.severalTypes ?? null,
  };
  const notes = [
    ...joined.flatMap((one) => joinNotes(base, one)),
    ...spared.map(
      ({ file }) =>
        `${file.name} is left out: it has further columns of the nodes in ${base.name}, and no role was found for any. Choose one to join it.`,
    ),
  ];
  return { table, joins: { tables: joined, lists: [], notes } };
}

interface BaseIds {
  readonly ids: ReadonlyMap<string, number>;
  readonly isWhole: boolean;
}

/** Whether the sample has all rows of the file */
export function isWhole({ rows }: SampledFile): boolean {
  return rows.length < sampleRows;
}

function idsOf({ rows }: SampledFile, id: number): ReadonlyMap<string, number> {
  return new Map(rows.map((row, i) => [(row[id] ?? "").trim(), i]));
}

function joinedSample(file: NodeTable, names: Set<string>, base: BaseIds): JoinedSample {
  const id = file.roles.indexOf("id");
  const taken = file.columns.flatMap(({ name }, column) => {
    if (column === id || file.roles[column] === "none") return [];
    const as = freeName(name, file.name, names);
    names.add(as);
    return [{ column, as }];
  });
  const drops = base.isWhole && valuesOf(file.rows, id).some((value) => !base.ids.has(value));
  return { file, id, drops, taken };
}

/** The name itself, or with that of its file, where it is taken. */
function freeName(name: string, file: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const stem = baseName(file).replace(/\..*$/, "");
  for (let count = 1; ; count++) {
    const longer = `${name}_${stem}${count === 1 ? "" : `_${count}`}`;
    if (!taken.has(longer)) return longer;
  }
}

/** Rows of the first table, each with the cells of its id; a node without a row has empty ones. */
function joinedRows(base: NodeTable, joined: readonly JoinedSample[]): string[][] {
  const id = base.roles.indexOf("id");
  const tables = joined.map((one) => ({ ...one, rowOf: idsOf(one.file, one.id), isWhole: isWhole(one.file) }));
  return base.rows.map((row, i) => [
    ...row,
    ...tables.flatMap(({ file, taken, rowOf, isWhole: isAll }) => {
      const at = rowOf.get((row[id] ?? "").trim());
      // Where the sample is a part, any of its rows shows what its columns hold.
      const cells = at === undefined ? (isAll ? [] : (file.rows[i] ?? [])) : file.rows[at]!;
      return taken.map(({ column }) => cells[column] ?? "");
    }),
  ]);
}

/** Nodes of the sample that the whole table is known to lack */
function nodesWithout(base: NodeTable, file: SampledFile, id: number): number {
  if (!isWhole(file)) return 0;
  const known = idsOf(file, id);
  return valuesOf(base.rows, base.roles.indexOf("id")).filter((value) => !known.has(value)).length;
}

function joinNotes(base: NodeTable, { file, id, drops, taken }: JoinedSample): string[] {
  const [left, right] = [base.columns[base.roles.indexOf("id")]!.name, file.columns[id]!.name];
  const by = left === right ? `by "${left}"` : `where its "${right}" is their "${left}"`;
  const renamed = taken.filter(({ column, as }) => file.columns[column]!.name !== as);
  const without = nodesWithout(base, file, id);
  const hasFeatures = taken.some(({ column }) => file.roles[column] === "feature");
  const called = renamed.map(({ column, as }) => `"${file.columns[column]!.name}" is called "${as}"`);
  return [
    `${file.name} is joined to the nodes of ${base.name} ${by}: ${named(taken.map(({ as }) => as))}${called.length > 0 ? ` (${called.join(", ")})` : ""}.`,
    ...(without > 0 && hasFeatures
      ? [
          `${file.name} has no row for ${without} of the ${base.rows.length} nodes that were looked at: the mean of its features is proposed there, and a column that is 1 where they are missing. Choose otherwise in features.missing.`,
        ]
      : []),
    ...(drops
      ? [
          `${file.name}: some of its ids are not among the nodes of ${base.name}. Such rows are dropped; set unknown to error to have them refused.`,
        ]
      : []),
  ];
}

/** The roles of the files that are joined, by their names; `table` has the columns of all. */
export function rolesOfJoined(table: NodeTable | null, { tables, lists }: Joins): Map<string, FileRoles> {
  const roleOf = (as: string) => table?.roles[table.columns.findIndex(({ name }) => name === as)] ?? "none";
  const plain = { notes: [], directed: null };
  const ofLists = lists.map(({ file, id }): [string, FileRoles] => {
    const roles = file.columns.map(({ name }): Role => (name === id ? "id" : "none"));
    const explained = [...file.columns.keys()];
    return [file.name, { ...plain, roles: file.columns.length === 1 ? ["id"] : roles, explained }];
  });
  const ofTables = tables.flatMap(({ file, id, taken }) => {
    const roles = file.columns.map((_, i): Role => {
      const as = taken.find(({ column }) => column === i)?.as;
      return i === id ? "id" : as === undefined ? "none" : roleOf(as);
    });
    const { notes, directed, explained } = file;
    return filesOf(file).map((name): [string, FileRoles] => [name, { notes, directed, explained, roles }]);
  });
  return new Map<string, FileRoles>([...ofLists, ...ofTables]);
}
