import type { Client } from "pg";
import { literal } from "./identifier.ts";

/** What is in the place that rows are to be written to. */
export interface TargetTable {
  /** r: a table, p: one with partitions, v: a view … (pg_class.relkind) */
  readonly kind: string;
  readonly comment: string | null;
  /** By name: the type as PostgreSQL writes it, and what form of a vector it takes; null: none. */
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly form: "vector" | "array" | null }>;
}

interface ColumnRow {
  readonly kind: string;
  readonly comment: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly base: string | null;
  readonly category: string | null;
}

/** The table, view or other thing of a name; null: there is none. */
export async function readTarget(client: Client, schema: string, table: string): Promise<TargetTable | null> {
  const { rows } = await client.query<ColumnRow>(`
    SELECT c.relkind::text AS kind, pg_catalog.obj_description(c.oid, 'pg_class') AS comment, a.attname::text AS name,
      pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, t.typname::text AS base, t.typcategory::text AS category
    FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    WHERE n.nspname = ${literal(schema)} AND c.relname = ${literal(table)}`);
  const [first] = rows;
  if (!first) return null;
  const columns = rows.flatMap(({ name, type, base, category }) => {
    const form = base === "vector" || base === "halfvec" ? "vector" : category === "A" ? "array" : null;
    return name === null ? [] : [[name, { type: type ?? "", form }] as const];
  });
  return { kind: first.kind, comment: first.comment, columns: new Map(columns) };
}

/** pgvector's type as it stands in a statement, wherever the extension has been put; null: it is not installed. */
export async function findVectorType(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ type: string }>(`
    SELECT pg_catalog.format('%I.%I', n.nspname, t.typname) AS type
    FROM pg_catalog.pg_extension e
      JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
      JOIN pg_catalog.pg_type t ON t.typnamespace = n.oid AND t.typname = 'vector'
    WHERE e.extname = 'vector'`);
  return rows[0]?.type ?? null;
}
