import { type AskedColumn, edgeColumns, nodeColumns } from "./column-aliases.ts";
import type { DatabaseTable } from "./database-tables.ts";
import { edgeFileName, endNames, freeNames, nodeFileName } from "./graph-file-names.ts";
import { type Reference, tableRoles } from "./table-roles.ts";
import { typeNames } from "./type-names.ts";

/** A file that is made of a table of a database: some of its columns, under names by which readers know them. */
export interface PlannedFile {
  readonly name: string;
  readonly table: number;
  readonly columns: readonly AskedColumn[];
  /** A row without a value in one of these is no row of the file: it names nothing. */
  readonly needed: readonly string[];
}

export interface PlannedFiles {
  readonly files: readonly PlannedFile[];
  /** What is left out, and why, in sentences */
  readonly notes: readonly string[];
}

/**
 * The files by which a database is read as a graph of types: one for the nodes of each table, one for the edges of each
 * foreign key and of each table that only joins two others, as queries are proposed for databases that run. Of a
 * database without foreign keys, each table as it is.
 */
export function plannedFiles(tables: readonly DatabaseTable[]): PlannedFiles {
  const { roles, lost } = tableRoles(tables);
  const types = typeNames(tables);
  const free = freeNames();
  const unread = tables.flatMap(unfitNotes);
  if (roles.every(({ kind }) => kind === "none")) return { files: wholeTables(tables), notes: unread };
  const nodeTypes = types.filter((_, i) => roles[i]!.kind === "nodes");
  const notes = [
    ...roles.flatMap((role, i) =>
      role.kind === "none" ? [`the table ${tables[i]!.name} is left out: ${role.reason}`] : [],
    ),
    ...lost.map(({ table, key }) => lostKey(tables[table]!, key.columns)),
    ...unread,
  ];
  const nodes = roles.flatMap((role, i) => (role.kind === "nodes" ? [nodeFile(tables[i]!, i, role.key)] : []));
  const edges = roles.flatMap((role, i): PlannedFile[] => {
    if (role.kind === "edges") return [joinFile(i, role.ends)];
    return role.kind === "nodes" ? role.references.flatMap((key) => keyFile(i, role.key, key)) : [];
  });
  return { files: [...nodes, ...edges], notes };

  function nodeFile(table: DatabaseTable, index: number, key: string): PlannedFile {
    const joining = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
    const others = fitting(table).filter((name) => name !== key && !joining.has(name));
    const columns = [{ column: key, alias: "id" }, ...nodeColumns(others)];
    return { name: free(nodeFileName(types[index]!)), table: index, columns, needed: [key] };
  }

  function keyFile(index: number, key: string, { columns, target, targetColumns }: Reference): PlannedFile[] {
    const [column = ""] = columns;
    if (targetColumns.length !== 1 || targetColumns[0] !== tables[target]!.primaryKey[0]) {
      notes.push(lostKey(tables[index]!, columns));
      return [];
    }
    const [source, goal] = endNames(types, index, target);
    const name = free(edgeFileName(types, index, column, target));
    const ends = [
      { column: key, alias: source },
      { column, alias: goal },
    ];
    return [{ name, table: index, columns: ends, needed: [key, column] }];
  }

  function joinFile(index: number, [first, second]: readonly [Reference, Reference]): PlannedFile {
    const table = tables[index]!;
    const named = endNames(types, first.target, second.target);
    const keys = new Set([...table.primaryKey, ...table.foreignKeys.flatMap(({ columns }) => columns)]);
    const others = fitting(table).filter((name) => !keys.has(name));
    const [src = "", dst = ""] = table.primaryKey;
    const ends = [
      { column: src, alias: named[0] },
      { column: dst, alias: named[1] },
    ];
    const columns = [...ends, ...edgeColumns(others, nodeTypes, named)];
    return {
      name: free(edgeFileName(types, first.target, table.name, second.target)),
      table: index,
      columns,
      needed: [src, dst],
    };
  }
}

/** The number of a table tells it from one whose name differs in signs alone, its schema from one of another schema. */
function wholeTables(tables: readonly DatabaseTable[]): PlannedFile[] {
  const taken = new Set<string>();
  return tables.map((table, index) => {
    const columns = fitting(table).map((column) => ({ column, alias: column }));
    const plain = plainName(table.name);
    const numbered = `${plain}_${index + 1}`;
    const own = plain === table.name ? plain : numbered;
    const withSchema = table.schema === "" ? own : plainName(`${table.schema}_${own}`);
    const called = [own, withSchema].find((name) => !taken.has(name.toLowerCase())) ?? numbered;
    taken.add(called.toLowerCase());
    return { name: `${called}.jsonl`, table: index, columns, needed: [] };
  });
}

function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "_");
}

function fitting({ columns }: DatabaseTable): string[] {
  return columns.flatMap(({ name, unfit }) => (unfit === null ? [name] : []));
}

function unfitNotes({ name, columns }: DatabaseTable): string[] {
  return columns.flatMap((column) =>
    column.unfit === null ? [] : [`the column ${column.name} of ${name} is left out: it ${column.unfit}.`],
  );
}

function lostKey({ name }: DatabaseTable, columns: readonly string[]): string {
  return `the foreign key ${name} (${columns.join(", ")}) has no edges: it leads to no key of one column among the tables that are read.`;
}
