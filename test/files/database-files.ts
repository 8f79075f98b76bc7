import { readFileSync } from "node:fs";
import { type FileCase, lines, path } from "./case.ts";

/** What SQLite wrote: `test/fixtures/sqlite/make.py` */
const saved = (name: string) => readFileSync(new URL(`../fixtures/sqlite/${name}`, import.meta.url));
const shop = saved("shop.db");

/** A database with some bytes changed: what a page says of itself is not to be trusted. */
function damaged(change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(shop);
  change(bytes);
  return bytes;
}

const refusal = (title: string, content: Uint8Array, warning: RegExp): FileCase => ({
  title,
  files: { "shop.db": content },
  graph: null,
  warns: [warning],
});

// Users 1 to 60 and one more, 60 of them with a manager; 12 products, each made by a user; 148 ratings.
const read = { nodes: 61 + 12, edges: 60 + 12 + 148 } as const;
const warns = [
  /the column photo of users is left out: it holds bytes/,
  /the view older is left out: it is a query/,
  /the table pairs is left out: it was made WITHOUT ROWID/,
  /the table words is left out: a module of SQLite makes its rows/,
  /the table settings is left out: It has no primary key/,
];

/** Files that are databases: their tables are read, and no SQL of theirs is run. */
export const databaseFileCases: readonly FileCase[] = [
  { title: "an SQLite database whose foreign keys are edges", files: { "shop.db": shop }, graph: read, warns },
  {
    title: "an SQLite database in UTF-16, with smaller pages",
    files: { "shop.sqlite3": saved("shop-utf16.db") },
    graph: read,
    warns,
  },
  {
    title: "an SQLite database without foreign keys: tables that are called as what they hold",
    files: { "plain.sqlite": saved("plain.sqlite") },
    graph: { nodes: 3, edges: 2, ids: ["a", "b", "c"], classes: ["p", "q"], rows: [[0.5], [1], [2.5]], weighted: true },
  },
  {
    title: "an SQLite database beside a text about it",
    files: { "plain.sqlite": saved("plain.sqlite"), "README.md": lines("A graph of three nodes, in words.", "Ask.") },
    graph: { nodes: 3, edges: 2, weighted: true },
    warns: [/README/],
  },
  {
    title: "queries on an SQLite database, in place of its tables",
    files: {
      "plain.sqlite": saved("plain.sqlite"),
      "plain.edges.sql": lines(
        "-- those of some weight",
        "SELECT dst AS src, src AS dst FROM edges",
        "WHERE weight > 0;",
      ),
      "nodes.sql": "SELECT id, label, x * 2 AS x FROM nodes ORDER BY id DESC",
    },
    graph: { nodes: 3, edges: 2, ids: ["c", "b", "a"], classes: ["p", "q"], rows: [[5], [2], [1]] },
  },
  {
    title: "a query on an SQLite database that is not understood",
    files: { "plain.sqlite": saved("plain.sqlite"), "edges.sql": lines("SELECT src,", "  dest", "FROM edges") },
    graph: null,
    warns: [/edges\.sql, line 2: DuckDB says: .*"dest" not found/],
  },
  {
    title: "a query on one of two databases, named before it",
    files: {
      "plain.sqlite": saved("plain.sqlite"),
      "shop.db": shop,
      "shop.managers.sql": "SELECT id AS src, manager_id AS dst FROM users WHERE manager_id IS NOT NULL",
      "plain.edges.sql": "FROM edges LIMIT 0",
    },
    graph: { nodes: 61, edges: 60 },
    warns: [/plain\.sqlite is a database without rows that are read\. The query of plain\.edges\.sql gives no rows/],
  },
  {
    title: "a query without a database",
    files: { "edges.csv": lines("src,dst", "1,2", "2,3", "3,4"), "edges.sql": "SELECT src, dst FROM edges" },
    graph: path,
    warns: [/edges\.sql holds SQL/],
  },
  refusal(
    "a database that is cut off",
    shop.subarray(0, shop.length - 20_000),
    /shop\.db is a damaged SQLite database/,
  ),
  refusal("a database of which a few bytes are there", shop.subarray(0, 60), /shop\.db is a damaged SQLite database/),
  refusal(
    "a database whose pages lead in a circle",
    // The root of the schema says that it is an inner page whose last child is itself.
    damaged((bytes) => {
      bytes[100] = 5;
      bytes.writeUInt16BE(0, 103);
      bytes.writeUInt32BE(1, 108);
    }),
    /shop\.db is a damaged SQLite database: page 1 is in a table twice/,
  ),
  refusal(
    "a database with pages of no size",
    damaged((bytes) => bytes.writeUInt16BE(3, 16)),
    /shop\.db is a damaged SQLite database: its first page is not that of a database/,
  ),
];
