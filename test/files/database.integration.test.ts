import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseAddress } from "../../apps/api/src/imports/sql/database-address.ts";
import { jsonLines } from "../../apps/api/src/imports/sql/json-lines.ts";
import { type DatabaseAccess, openSession } from "../../apps/api/src/imports/sql/open-session.ts";
import { type ProposedQueries, proposeQueries } from "../../apps/api/src/imports/sql/tables/propose-queries.ts";
import { quotes, readTables } from "../../apps/api/src/imports/sql/tables/read-tables.ts";
import { AddressGuard } from "../../apps/api/src/requests/address-guard.ts";
import { SourceDatabase } from "../../apps/api/test/imports/support/source-database.ts";
import { isPostgresInstalled } from "../../apps/api/test/support/start-postgres.ts";
import { datasetSpec } from "../../packages/gnn-core/src/io/dataset-spec.ts";
import type { GraphInfo } from "../../packages/gnn-core/src/io/ingest/ingest-report.ts";
import type { PreviewInfo } from "../../packages/gnn-core/src/io/preview/preview-info.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { mapStep } from "../../packages/gnn-core/src/steps/map.step.ts";
import { filesArtifact, runStep } from "../../packages/gnn-core/test/support/run-step.ts";

const guard = new AddressGuard(["127.0.0.1"], "HOPWISE_IMPORT_NETWORKS");

/** A shop whose names are as awkward as names may be; `few` may read all but one table of it. */
const shop = `
  CREATE SCHEMA sales;
  CREATE TABLE users (id int8 PRIMARY KEY, email text, age float8, photo bytea, about text, manager_id int8 REFERENCES users);
  CREATE TABLE "Product ""X""" ("select" text PRIMARY KEY, price float8, valid_from date, valid_to date, made_by int8 NOT NULL REFERENCES users);
  CREATE TABLE sales.casino (no int4 PRIMARY KEY, "größe" float8, owner int8 REFERENCES users, code text UNIQUE);
  CREATE TABLE ratings (user_id int8 REFERENCES users, product text REFERENCES "Product ""X""", name text, rating float8,
    PRIMARY KEY (user_id, product));
  CREATE TABLE friends (a int8 REFERENCES users, b int8 REFERENCES users, since date, PRIMARY KEY (a, b));
  CREATE TABLE paragraphs (key int4 PRIMARY KEY, x float8, y float8, id text, place text REFERENCES sales.casino (code));
  CREATE TABLE events (id int4, day date, about_user int8 REFERENCES users, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
  CREATE TABLE visits (id int4 PRIMARY KEY, "start" int4, "end" int4, visitor int8 REFERENCES users) PARTITION BY RANGE (id);
  CREATE TABLE visits_1 PARTITION OF visits FOR VALUES FROM (0) TO (4);
  CREATE TABLE visits_2 PARTITION OF visits FOR VALUES FROM (4) TO (100);
  CREATE TABLE secrets (id int4 PRIMARY KEY);
  CREATE TABLE tokens (id int4 PRIMARY KEY, secret int4 REFERENCES secrets, owner int8 REFERENCES users);
  CREATE TABLE migrations (version int4 PRIMARY KEY);
  CREATE TABLE log (line text);
  CREATE VIEW older AS SELECT * FROM users;
  INSERT INTO users SELECT i, 'u' || i, 20.5 + i, '\\x00', (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, 60) j), nullif(i - 1, 0) FROM generate_series(1, 9) i;
  INSERT INTO "Product ""X""" SELECT 'é' || i, i + 0.5, now(), now(), i FROM generate_series(1, 6) i;
  INSERT INTO sales.casino SELECT i, i / 2.0, 1 + i % 3, 'c' || i FROM generate_series(1, 5) i;
  INSERT INTO ratings SELECT u, 'é' || p, 'n', u + p + 0.5 FROM generate_series(1, 9) u, generate_series(1, 6) p WHERE (u + p) % 3 = 0;
  INSERT INTO friends SELECT a, b, now() FROM generate_series(1, 9) a, generate_series(1, 9) b WHERE a <> b AND (a * b) % 4 = 0;
  INSERT INTO paragraphs SELECT i, i, i, 'c1', CASE WHEN i % 2 = 0 THEN 'c' || (1 + i % 5) END FROM generate_series(1, 8) i;
  INSERT INTO visits SELECT i, i, i + 1, 1 + i % 4 FROM generate_series(1, 7) i;
  INSERT INTO secrets VALUES (1); INSERT INTO tokens VALUES (1, 1, 1), (2, 1, 2), (3, NULL, 3);
  CREATE ROLE few LOGIN PASSWORD 'few';
  GRANT USAGE ON SCHEMA sales TO few;
  GRANT SELECT ON users, "Product ""X""", sales.casino, ratings, friends, paragraphs, events, visits, tokens, migrations, log, older TO few;
  ANALYZE`;

/** Runs all queries that are proposed, as an import does. */
async function filesOf(access: DatabaseAccess, { files }: ProposedQueries) {
  const session = await openSession(access);
  const found: Record<string, string> = {};
  try {
    for (const { name, query } of files) {
      const parts: string[] = [];
      for await (const batch of session.batches(query)) parts.push(jsonLines(batch));
      found[name] = parts.join("");
    }
  } finally {
    await session.close();
  }
  return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, new TextEncoder().encode(text)]));
}

async function graphOf(access: DatabaseAccess) {
  const proposed = proposeQueries(await readTables(access), quotes[access.address.engine]);
  const files = await filesArtifact(await filesOf(access, proposed));
  const map = await runStep(mapStep, { files }, mapStep.options.parse({}));
  const spec = datasetSpec.parse((map.manifest.info as PreviewInfo).proposed);
  const built = await runStep(ingestStep, { files }, spec);
  return { proposed, spec, info: built.manifest.info as GraphInfo };
}

const accessTo = (url: string, secret: string): DatabaseAccess => {
  const address = databaseAddress(url, guard);
  const credential = { kind: "database", hosts: [`127.0.0.1:${address.port}`], secret } as const;
  return { address, credential, guard, querySeconds: 60, signal: new AbortController().signal };
};

describe.skipIf(!isPostgresInstalled)("tables of a PostgreSQL", () => {
  let source: SourceDatabase;
  let found: Awaited<ReturnType<typeof graphOf>>;

  beforeAll(async () => {
    source = await SourceDatabase.start();
    await source.run(shop);
    found = await graphOf(accessTo(source.url, "few:few"));
  });
  afterAll(() => source?.stop());

  it("become a file of nodes for each with a key of one column, without keys, bytes, and misleading names", () => {
    const nodes = found.proposed.files.filter(({ kind }) => kind === "nodes");
    expect(Object.fromEntries(nodes.map(({ name, query }) => [name, query]))).toEqual({
      "users.jsonl": 'SELECT "id", "email", "age" FROM "public"."users"',
      "ProductX.jsonl": `SELECT "select" AS "id", "price", "valid_from" AS "valid_from_value", "valid_to" AS "valid_to_value" FROM "public"."Product ""X"""`,
      "casinos.jsonl": 'SELECT "no" AS "id", "größe", "code" FROM "sales"."casino"',
      "paragraphs_nodes.jsonl": `SELECT "key" AS "id", "x" AS "x_value", "y" AS "y_value", "id" AS "id_value" FROM "public"."paragraphs"`,
      "visits.jsonl": `SELECT "id", "start" AS "start_value", "end" AS "end_value" FROM "public"."visits"`,
      "tokens.jsonl": 'SELECT "id" FROM "public"."tokens"',
    });
    const users = nodes.find(({ table }) => table === "public.users");
    expect(users?.notes).toEqual([
      "photo is left out: it holds bytes.",
      expect.stringMatching(/^about is left out: it has 19\d\d bytes in a value on average\.$/),
    ]);
  });

  it("say why others are left out: several columns in a key, no key, nothing that is joined, nothing to be read", () => {
    expect(Object.fromEntries(found.proposed.leftOut.map(({ name, reason }) => [name, reason]))).toEqual({
      "public.events": expect.stringContaining("2 columns (id, day) that are not two foreign keys"),
      "public.log": expect.stringContaining("no primary key"),
      "public.migrations": expect.stringContaining("No foreign key"),
      "public.tokens (secret)": expect.stringContaining("may not be read"),
    });
  });

  it("are proposed as types and relations that have as many nodes and edges as the database has rows", async () => {
    const [rows] = await source.run(`SELECT (SELECT count(*)::int FROM users) AS users,
      (SELECT count(*)::int FROM "Product ""X""") AS "ProductX", (SELECT count(*)::int FROM sales.casino) AS casinos,
      (SELECT count(*)::int FROM paragraphs) AS paragraphs, (SELECT count(*)::int FROM visits) AS visits,
      (SELECT count(*)::int FROM tokens) AS tokens`);
    const { nodeTypes, relations } = found.info.schema!;
    expect(Object.fromEntries(nodeTypes.map(({ name, count }) => [name, count]))).toEqual(rows);
    const [edges] = await source.run(`SELECT (SELECT count(*)::int FROM ratings) AS "users ratings ProductX",
      (SELECT count(*)::int FROM friends) AS "users friends users",
      (SELECT count(manager_id)::int FROM users) AS "users manager users",
      (SELECT count(made_by)::int FROM "Product ""X""") AS "ProductX made_by users",
      (SELECT count(owner)::int FROM sales.casino) AS "casinos casinos owner users users",
      (SELECT count(*)::int FROM paragraphs JOIN sales.casino ON place = code) AS "paragraphs place casinos",
      (SELECT count(visitor)::int FROM visits) AS "visits visitor users",
      (SELECT count(owner)::int FROM tokens) AS "tokens tokens owner users users"`);
    const forth = relations.filter(({ name }) => !name.startsWith("rev_"));
    const counts = forth.map(({ source: from, name, target, count }) => [`${from} ${name} ${target}`, count]);
    expect(Object.fromEntries(counts)).toEqual(edges);
    const ratings = found.spec.relations?.find(({ name }) => name === "ratings");
    expect(ratings).toMatchObject({ src: "users", dst: "ProductX", weight: "rating" });
    expect(found.spec.nodeTypes?.["users"]).toMatchObject({ id: "id", features: { columns: ["age"] } });
  });
});
