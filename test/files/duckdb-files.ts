import { duckdbFile, withStorageVersion } from "../support/duckdb-file.ts";
import type { FileCase } from "./case.ts";

// DuckDB looks for the row that a key leads to among those of statements before.
const users = Array.from({ length: 60 }, (_, i) => {
  const email = `ü${i + 1}${"x".repeat(i % 10 === 9 ? 5000 : 0)}`;
  const manager = Math.floor((i + 1) / 2) || "NULL";
  return `INSERT INTO users (id, email, age, photo, mood, name, manager_id) VALUES (${i + 1}, '${email}', ${20.5 + i / 2}, '\\x00', 'glad', 'n', ${manager})`;
});

const shopSql = `
  CREATE TYPE mood AS ENUM ('glad', 'sad');
  CREATE TABLE users (id BIGINT PRIMARY KEY, email TEXT, age REAL, photo BLOB, mood mood, name TEXT,
    initial TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL, home STRUCT(town TEXT), manager_id BIGINT REFERENCES users);
  CREATE TABLE "Product ""X""" ("select" TEXT PRIMARY KEY, price DECIMAL(18, 3), made_by BIGINT NOT NULL REFERENCES users(id));
  CREATE TABLE ratings (user_id BIGINT REFERENCES users, product TEXT REFERENCES "Product ""X""", rating REAL,
    PRIMARY KEY (user_id, product));
  CREATE TABLE settings (name TEXT, value TEXT);
  CREATE VIEW older AS SELECT * FROM read_text('/etc/hostname');
  CREATE MACRO isfinite(x) AS error('run');
  ${users.join(";\n  ")};
  INSERT INTO users (id, email, age, manager_id) VALUES (9007199254740993, 'big', 'nan', 1);
  INSERT INTO "Product ""X""" SELECT 'p''' || i, i * 1.5, i FROM range(1, 13) t(i);
  INSERT INTO ratings SELECT u, 'p''' || p, (u + p) % 5 + 0.5 FROM range(1, 61) t(u), range(1, 13) s(p) WHERE (u * p) % 7 = 0`;

const shop = await duckdbFile(shopSql);
const plain = await duckdbFile(
  `CREATE TABLE edges (src TEXT, dst TEXT, weight DOUBLE);
   CREATE TABLE nodes (id TEXT, label TEXT, x FLOAT[2]);
   INSERT INTO edges VALUES ('a', 'b', 0.5), ('b', 'c', 2);
   INSERT INTO nodes VALUES ('a', 'p', [0.5, 1]), ('b', 'q', [1, -2]), ('c', 'p', [2.5, 0])`,
  "STORAGE_VERSION 'latest', BLOCK_SIZE 16384",
);
const twoSchemas = await duckdbFile(
  `CREATE SCHEMA other;
   CREATE TABLE edges (src INT, dst INT);
   CREATE TABLE other.edges (src INT, dst INT);
   INSERT INTO edges VALUES (1, 2), (2, 3);
   INSERT INTO other.edges VALUES (3, 4)`,
);
const listed = await duckdbFile(
  `CREATE TABLE edges (src INT, dst INT);
   CREATE TABLE nodes (id INT, x DOUBLE[], made TIMESTAMPTZ);
   INSERT INTO edges VALUES (1, 2), (2, 3);
   INSERT INTO nodes VALUES (1, [1, 2], now()), (2, [0.5, 'nan'::DOUBLE], now()), (3, [1, 1], now())`,
);
const oneRow = await duckdbFile(
  `CREATE TABLE edges (src TEXT, dst TEXT); CREATE TABLE nodes (id TEXT, x DOUBLE);
   INSERT INTO edges VALUES ('a', 'b'); INSERT INTO nodes VALUES ('a', 1), ('b', 2), ('c', 3)`,
);
const encrypted = await duckdbFile("CREATE TABLE t AS SELECT 1 AS a", "ENCRYPTION_KEY 'secret'");
const empty = await duckdbFile("");

const refusal = (title: string, content: Uint8Array, warning: RegExp): FileCase => ({
  title,
  files: { "shop.duckdb": content },
  graph: null,
  warns: [warning],
});

// Users 1 to 60 and one more, 60 of them with a manager; 12 products, each made by a user; 148 ratings.
const read = { nodes: 61 + 12, edges: 60 + 12 + 148 } as const;

/** Databases that DuckDB wrote: their tables are read, and no SQL of theirs is run. */
export const duckdbFileCases: readonly FileCase[] = [
  {
    title: "a DuckDB database whose foreign keys are edges",
    files: { "shop.duckdb": shop },
    graph: read,
    warns: [
      /the column photo of users is left out: it holds bytes/,
      /the column home of users is left out: it holds values in one another/,
      /the column initial of users is left out: SQL computes it/,
      /the view older is left out: it is a query/,
      /the table settings is left out: It has no primary key/,
    ],
  },
  {
    title: "a DuckDB database of the newest storage version, without foreign keys, with a column of vectors",
    files: { "plain.db": plain },
    graph: {
      nodes: 3,
      edges: 2,
      ids: ["a", "b", "c"],
      classes: ["p", "q"],
      rows: [
        [0.5, 1],
        [1, -2],
        [2.5, 0],
      ],
      weighted: true,
    },
  },
  {
    title: "a DuckDB database with two tables of one name in two schemas",
    files: { "two.duckdb": twoSchemas },
    graph: { nodes: 4, edges: 3 },
  },
  {
    title: "a DuckDB database with a vector that holds what is no number",
    files: { "lists.duckdb": listed },
    graph: { nodes: 3, edges: 2 },
    warns: [/"x" is left out: text/, /"made" is left out: dates/],
  },
  {
    title: "a DuckDB database with a table of one row",
    files: { "one.duckdb": oneRow },
    graph: { nodes: 3, edges: 1, ids: ["a", "b", "c"] },
  },
  refusal(
    "a DuckDB database without tables",
    empty,
    /shop\.duckdb is a database without rows that are read\. It has no tables\. What DuckDB has not yet written/,
  ),
  refusal("an encrypted DuckDB database", encrypted, /shop\.duckdb is an encrypted DuckDB database/),
  refusal(
    "a DuckDB database of a storage version to come",
    withStorageVersion(shop, 99n),
    /shop\.duckdb is a DuckDB database of the storage version 99; versions \d+ to \d+ are read\. .*STORAGE_VERSION/,
  ),
  refusal(
    "a DuckDB database of a storage version of before",
    withStorageVersion(shop, 51n),
    /storage version 51; .*EXPORT DATABASE/,
  ),
  refusal(
    "a DuckDB database that is cut off",
    shop.subarray(0, shop.length / 2),
    /shop\.duckdb is a damaged DuckDB database: it is cut off/,
  ),
  refusal(
    "a DuckDB database of which the first bytes are there",
    shop.subarray(0, 60),
    /shop\.duckdb is a damaged DuckDB database: it is cut off/,
  ),
  refusal(
    "a DuckDB database of which a block is not as it was written",
    Buffer.concat([shop.subarray(0, 12_388), Buffer.alloc(100, 7), shop.subarray(12_488)]),
    /shop\.duckdb is a damaged DuckDB database: a block is not as it was written/,
  ),
];
