import type { DatabaseTable, ForeignKey, TableColumn } from "@hopwise/gnn-core/spec";
import type { SqlSession } from "../sql-session.ts";
import { readRows } from "./read-rows.ts";

/** Bytes of a value, on average, above which a column is too wide to go along unasked. */
const wideBytes = 1000;

/**
 * Tables that may be read, with those that are partitioned as one, and without views and tables of extensions. In
 * information_schema users who may only read see no constraints.
 */
const tableColumns = `
SELECT c.oid::pg_catalog.text AS id, n.nspname::pg_catalog.text AS schema, c.relname::pg_catalog.text AS name,
  a.attnum::pg_catalog.text AS number, a.attname::pg_catalog.text AS column, t.typname::pg_catalog.text AS type,
  t.typcategory::pg_catalog.text AS category, s.avg_width::pg_catalog.text AS width
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname
  AND s.inherited = (c.relkind = 'p')
WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
    AND d.objid = c.oid AND d.deptype = 'e')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname, c.relname, a.attnum`;

const constraints = `
SELECT k.conrelid::pg_catalog.text AS id, k.contype::pg_catalog.text AS kind, k.confrelid::pg_catalog.text AS target,
  pg_catalog.array_to_json(k.conkey)::pg_catalog.text AS columns,
  coalesce(pg_catalog.array_to_json(k.confkey)::pg_catalog.text, '[]') AS others
FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
WHERE k.contype IN ('p', 'f') AND k.conparentid = 0 AND NOT c.relispartition
  AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
ORDER BY k.conrelid, k.conname`;

interface Found {
  readonly schema: string;
  readonly name: string;
  readonly columns: TableColumn[];
  readonly byNumber: Map<number, string>;
}

/** The tables of a PostgreSQL that the user may read, with their keys. @throws what the client throws */
export async function postgresTables(session: SqlSession): Promise<readonly DatabaseTable[]> {
  const found = new Map<string, Found>();
  for (const { id = "", schema = "", name = "", number, column = "", ...type } of await readRows(
    session,
    tableColumns,
  )) {
    const table = found.get(id) ?? { schema, name, columns: [], byNumber: new Map<number, string>() };
    table.columns.push({ name: column, unfit: unfit(type) });
    table.byNumber.set(Number(number), column);
    found.set(id, table);
  }
  const keys = (await readRows(session, constraints)).filter(({ id = "" }) => found.has(id));
  const ids = [...found.keys()];
  return ids.map((id) => {
    const { byNumber, ...table } = found.get(id)!;
    const own = keys.filter((key) => key["id"] === id);
    const primary = own.find(({ kind }) => kind === "p");
    const foreignKeys = own
      .filter(({ kind }) => kind === "f")
      .map((key): ForeignKey => {
        const other = found.get(key["target"] ?? "");
        return {
          columns: namesOf(key["columns"], byNumber),
          target: other ? ids.indexOf(key["target"] ?? "") : null,
          targetColumns: other ? namesOf(key["others"], other.byNumber) : [],
        };
      });
    return { ...table, primaryKey: namesOf(primary?.["columns"], byNumber), foreignKeys };
  });
}

function namesOf(numbers: string | undefined, byNumber: ReadonlyMap<number, string>): readonly string[] {
  return (JSON.parse(numbers ?? "[]") as number[]).map((number) => byNumber.get(number) ?? "");
}

function unfit({ type = "", category, width }: Partial<Record<string, string>>): string | null {
  if (type === "bytea") return "holds bytes";
  if (["json", "jsonb", "xml", "tsvector", "hstore"].includes(type)) return `holds documents (${type})`;
  // Vectors are what models learn from, however long they are.
  if (category === "A" || ["vector", "halfvec"].includes(type)) return null;
  return Number(width) > wideBytes ? `has ${width} bytes in a value on average` : null;
}
