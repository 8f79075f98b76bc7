import type { DatabaseTable, ForeignKey } from "@hopwise/gnn-core/spec";
import type { SqlSession } from "../sql-session.ts";
import { readRows } from "./read-rows.ts";

const tableColumns = `
SELECT t.TABLE_NAME AS name, c.COLUMN_NAME AS col, c.DATA_TYPE AS type, c.COLUMN_KEY AS part
FROM information_schema.TABLES t
JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE'
ORDER BY t.TABLE_NAME, c.ORDINAL_POSITION`;

const foreignKeys = `
SELECT TABLE_NAME AS name, CONSTRAINT_NAME AS constr, COLUMN_NAME AS col, REFERENCED_TABLE_SCHEMA = DATABASE() AS here,
  REFERENCED_TABLE_NAME AS target, REFERENCED_COLUMN_NAME AS other
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

const bytes = /blob$|^(var)?binary$|^bit$/;
const documents = /^(json|mediumtext|longtext)$|geometry|point|polygon|linestring/;

/** The tables of a MySQL database that the user may read, with their keys. @throws what the client throws */
export async function mysqlTables(session: SqlSession): Promise<readonly DatabaseTable[]> {
  const columns = await readRows(session, tableColumns);
  const keys = await readRows(session, foreignKeys);
  const names = [...new Set(columns.map(({ name = "" }) => name))];
  return names.map((name) => {
    const own = columns.filter((column) => column["name"] === name);
    return {
      schema: "",
      name,
      columns: own.map(({ col = "", type = "" }) => ({ name: col, unfit: unfit(type.toLowerCase()) })),
      primaryKey: own.filter(({ part }) => part === "PRI").map(({ col = "" }) => col),
      foreignKeys: foreignKeysOf(
        keys.filter((key) => key["name"] === name),
        names,
      ),
    };
  });
}

function foreignKeysOf(rows: readonly Record<string, string>[], names: readonly string[]): readonly ForeignKey[] {
  const constraints = [...new Set(rows.map(({ constr }) => constr))];
  return constraints.map((constraint) => {
    const parts = rows.filter(({ constr }) => constr === constraint);
    const target = parts[0]?.["here"] === "1" ? names.indexOf(parts[0]["target"] ?? "") : -1;
    return {
      columns: parts.map(({ col = "" }) => col),
      target: target < 0 ? null : target,
      targetColumns: parts.map(({ other = "" }) => other),
    };
  });
}

function unfit(type: string): string | null {
  if (bytes.test(type)) return "holds bytes";
  return documents.test(type) ? `holds documents (${type})` : null;
}
