import { limits } from "@hopwise/contracts";
import {
  type AskedColumn,
  type DatabaseTable,
  edgeColumns,
  edgeFileName,
  endNames,
  freeNames,
  nodeColumns,
  nodeFileName,
  type Quote,
  type Reference,
  tableRoles,
  typeNames,
} from "@hopwise/gnn-core/spec";

/** A file that a query would give. */
export interface ProposedFile {
  readonly name: string;
  readonly kind: "nodes" | "edges";
  /** The table whose rows it has. */
  readonly table: string;
  /** For edges: the tables that they join. */
  readonly joins: readonly string[];
  readonly query: string;
  /** What is not in it, and why. */
  readonly notes: readonly string[];
}

export interface ProposedQueries {
  readonly files: readonly ProposedFile[];
  /** Tables and foreign keys of which no file is proposed, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

interface Context {
  readonly tables: readonly DatabaseTable[];
  readonly types: readonly string[];
  /** Those of tables that have nodes. */
  readonly nodeTypes: readonly string[];
  readonly quote: Quote;
  readonly fileName: (wanted: string) => string;
}

const mostColumns = 200;

/**
 * The queries by which tables become files that are read as a graph of types: one for the nodes of each table, one for
 * the edges of each foreign key and of each table that only joins two others.
 */
export function proposeQueries(tables: readonly DatabaseTable[], quote: Quote): ProposedQueries {
  const { roles, lost } = tableRoles(tables);
  const types = typeNames(tables);
  const nodeTypes = types.filter((_, i) => roles[i]?.kind === "nodes");
  const context = { tables, types, nodeTypes, quote, fileName: freeNames() };
  const nodes = roles.flatMap((role, i) => (role.kind === "nodes" ? [nodeFile(context, i, role.key)] : []));
  const edges = roles.flatMap((role, i) => {
    if (role.kind === "edges") return [joinFile(context, i, role.ends)];
    return role.kind === "nodes" ? role.references.map((key) => keyFile(context, i, role.key, key)) : [];
  });
  const leftOut = roles.flatMap((role, i) =>
    role.kind === "none" ? [{ name: shown(tables[i]!), reason: role.reason }] : [],
  );
  const keys = lost.map(({ table, key }) => ({
    name: `${shown(tables[table]!)} (${key.columns.join(", ")})`,
    reason: `The foreign key leads to ${key.target === null ? "a table that may not be read or was not asked for" : `${shown(tables[key.target]!)}, which has no key of one column`}.`,
  }));
  return { files: [...nodes, ...edges], leftOut: [...leftOut, ...keys] };
}

/** How people name a table: with its schema, where there is one. */
export function shown({ schema, name }: Pick<DatabaseTable, "schema" | "name">): string {
  return schema === "" ? name : `${schema}.${name}`;
}

function nodeFile(context: Context, index: number, key: string): ProposedFile {
  const table = context.tables[index]!;
  const joining = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const others = table.columns.filter(({ name }) => name !== key && !joining.has(name));
  const fitting = others.filter(({ unfit }) => unfit === null).map(({ name }) => name);
  const asked = [{ column: key, alias: "id" }, ...nodeColumns(fitting)];
  const type = context.types[index]!;
  return {
    name: context.fileName(nodeFileName(type)),
    kind: "nodes",
    table: shown(table),
    joins: [],
    ...selection(context, table, asked, notesOf(others)),
  };
}

/** A foreign key: from each row to the one that it names. */
function keyFile(context: Context, index: number, key: string, reference: Reference): ProposedFile {
  const { tables, quote } = context;
  const table = tables[index]!;
  const target = tables[reference.target]!;
  const [source, goal] = endNames(context.types, index, reference.target);
  const names = (alias: string, column: string) => `${alias}.${quote(column)}`;
  const [targetKey = ""] = target.primaryKey;
  const isPlain = reference.targetColumns.length === 1 && reference.targetColumns[0] === targetKey;
  const [column = ""] = reference.columns;
  const from = `FROM ${tableName(table, quote)} s`;
  const end = isPlain ? names("s", column) : names("t", targetKey);
  const pairs = reference.columns.map(
    (one, i) => `${names("s", one)} = ${names("t", reference.targetColumns[i] ?? "")}`,
  );
  const rest = isPlain
    ? `${from} WHERE ${names("s", column)} IS NOT NULL`
    : `${from} JOIN ${tableName(target, quote)} t ON ${pairs.join(" AND ")}`;
  return {
    name: context.fileName(edgeFileName(context.types, index, reference.columns.join("_"), reference.target)),
    kind: "edges",
    table: shown(table),
    joins: [shown(table), shown(target)],
    query: `SELECT ${names("s", key)} AS ${quote(source)}, ${end} AS ${quote(goal)} ${rest}`,
    notes: [],
  };
}

/** A table that only joins two others: an edge for each row, with its other columns. */
function joinFile(context: Context, index: number, ends: readonly [Reference, Reference]): ProposedFile {
  const { tables, nodeTypes } = context;
  const table = tables[index]!;
  const [first, second] = ends;
  const named = endNames(context.types, first.target, second.target);
  const keys = new Set([...table.primaryKey, ...table.foreignKeys.flatMap(({ columns }) => columns)]);
  const others = table.columns.filter(({ name }) => !keys.has(name));
  const fitting = others.filter(({ unfit }) => unfit === null).map(({ name }) => name);
  const [src = "", dst = ""] = table.primaryKey;
  const asked = [
    { column: src, alias: named[0] },
    { column: dst, alias: named[1] },
    ...edgeColumns(fitting, nodeTypes, named),
  ];
  return {
    name: context.fileName(edgeFileName(context.types, first.target, table.name, second.target)),
    kind: "edges",
    table: shown(table),
    joins: [shown(tables[first.target]!), shown(tables[second.target]!)],
    ...selection(context, table, asked, notesOf(others)),
  };
}

/** As many of the columns as a query has room for. */
function selection({ quote }: Context, table: DatabaseTable, asked: readonly AskedColumn[], notes: readonly string[]) {
  const from = ` FROM ${tableName(table, quote)}`;
  const texts: string[] = [];
  for (const { column, alias } of asked) {
    const text = column === alias ? quote(column) : `${quote(column)} AS ${quote(alias)}`;
    const length = texts.reduce((sum, one) => sum + one.length + 2, from.length + text.length + "SELECT ".length);
    if (texts.length >= mostColumns || length > limits.importQueryLength) break;
    texts.push(text);
  }
  const lost = asked.length - texts.length;
  const more = lost === 0 ? [] : [`${lost} further columns are left out, for which the query has no room.`];
  return { query: `SELECT ${texts.join(", ")}${from}`, notes: [...notes, ...more] };
}

function notesOf(columns: DatabaseTable["columns"]): readonly string[] {
  return columns.flatMap(({ name, unfit }) => (unfit === null ? [] : [`${name} is left out: it ${unfit}.`]));
}

function tableName({ schema, name }: DatabaseTable, quote: Quote): string {
  return schema === "" ? quote(name) : `${quote(schema)}.${quote(name)}`;
}
