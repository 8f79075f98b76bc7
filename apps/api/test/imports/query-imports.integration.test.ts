import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset, keyFor } from "../support/fixtures.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { reader, SourceDatabase } from "./support/source-database.ts";

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1", HOPWISE_IMPORT_QUERY_SECONDS: "2" });
const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const has = isPostgresInstalled;
let source: SourceDatabase;

beforeAll(async () => {
  if (!has) return;
  source = await SourceDatabase.start();
  await source.run(`
    CREATE TYPE colour AS ENUM ('red', 'green');
    CREATE TABLE items (id int8 PRIMARY KEY, price numeric, ratio float8, is_new bool, tags int[], extra json,
      made timestamptz, hue colour, name text);
    INSERT INTO items VALUES
      (9007199254740993, 12.50, 0.1, true, '{1,2,NULL}', '{"a":\n 1}', '2026-01-02 03:04:05+00', 'red', E'a "b"\n\u2028é'),
      (2, 0.1234567890123456789012, 'NaN', false, '{}', NULL, NULL, NULL, '');
  `);
  const { host } = source;
  const kept = [
    { name: "shop", kind: "database", hosts: [host], secret: `${reader.user}:${reader.password}` },
    { name: "wrong", kind: "database", hosts: [host], secret: "reader:not the password" },
    { name: "elsewhere", kind: "database", hosts: ["db.example.com"], secret: "reader:x" },
    { name: "web", kind: "basic", hosts: [host], secret: "reader:x" },
  ];
  for (const body of kept) expect((await app().admin.post("/v1/source-credentials").send(body)).status).toBe(201);
});
afterAll(() => source?.stop());

async function ask(file: object) {
  const dataset = await createDataset(app());
  const files = [{ url: source.url, credential: "shop", ...file }];
  return app().admin.post(`/v1/datasets/${dataset}/imports`).send({ files });
}

async function read(id: string) {
  return (await app().admin.get(`/v1/imports/${id}`)).body;
}

async function ended(file: object) {
  const { body, status } = await ask(file);
  expect([status, body.detail]).toEqual([202, undefined]);
  return until("the end", async () => {
    const found = await read(body.id);
    return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
  });
}

const problemOf = async (file: object) => {
  const { state, problem } = await ended(file);
  return [state, problem?.code, problem?.detail];
};

describe.skipIf(!has)("an import by a query on PostgreSQL", () => {
  it("keeps the rows as JSON lines, with every digit of ids and decimals, and nothing of the password", async () => {
    const done = await ended({ query: "-- all of them\nSELECT * FROM items ORDER BY name DESC;", name: "items" });
    const lines = [
      `{"id":9007199254740993,"price":12.50,"ratio":0.1,"is_new":true,"tags":[1,2,null],"extra":{"a":  1},"made":"2026-01-02 03:04:05+00","hue":"red","name":"a \\"b\\"\\n\u2028é"}`,
      `{"id":2,"price":"0.1234567890123456789012","ratio":null,"is_new":false,"tags":[],"extra":null,"made":null,"hue":null,"name":""}`,
    ];
    const query = "-- all of them\nSELECT * FROM items ORDER BY name DESC;";
    const sha256 = digest(`${lines.join("\n")}\n`);
    const url = source.url;
    expect(done.files).toMatchObject([{ name: "items.jsonl", source: url, query, rowsDone: 2, sha256 }]);
    expect(JSON.stringify(done)).not.toContain(reader.password);
    const { credential, bytesDone, bytesTotal } = done.files[0];
    expect([credential, bytesDone]).toEqual(["shop", bytesTotal]);
  });

  it("runs a query again whose connection broke, and keeps nothing of the first run", async () => {
    await source.run("CREATE TABLE gate AS SELECT 600 AS seconds");
    const many = "SELECT i AS id FROM generate_series(1, 60000) i";
    const held = `${many} WHERE i < 50000 OR pg_sleep((SELECT seconds FROM gate)) IS NOT NULL`;
    const { body } = await ask({ query: held.replace("i < 50000", "i <> 50000") });
    await until("the database at work", async () => (await source.importers()) === 1);
    await source.run("UPDATE gate SET seconds = 0");
    await source.cut();
    const done = await until("the end", async () => {
      const found = await read(body.id);
      return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
    });
    const all = Array.from({ length: 60_000 }, (_, i) => `{"id":${i + 1}}\n`).join("");
    expect(done.files).toMatchObject([{ name: "query.jsonl", rowsDone: 60_000, sha256: digest(all) }]);
  });

  it("ends a query that takes too long or is cancelled, in the database as well", async () => {
    const endless = "SELECT i AS id, pg_sleep(600) FROM generate_series(1, 2) i";
    const late = expect.stringContaining("2 s (HOPWISE_IMPORT_QUERY_SECONDS)");
    expect(await problemOf({ query: endless })).toEqual(["FAILED", "IMPORT_QUERY", late]);
    const { body } = await ask({ query: endless });
    await until("the wait to be told", async () => (await read(body.id)).waitReason?.includes("no row has come yet"));
    expect((await app().admin.post(`/v1/imports/${body.id}/cancel`)).body.state).toBe("CANCELLED");
    await until("the database at rest", async () => (await source.importers()) === 0);
  });

  it.each([
    ["INSERT INTO items (id) VALUES (3)", "Found INSERT …, expected one statement that reads"],
    ["/* SELECT */ DROP TABLE items", "Found DROP …"],
    ["", ""],
  ])("refuses %s before it is sent", async (query, said) => {
    const { body, status } = await ask({ query });
    expect([status, body.pointer]).toEqual([query === "" ? 400 : 422, "/files/0/query"]);
    expect(body.detail).toContain(said);
  });

  it.each([
    ["WITH gone AS (DELETE FROM items RETURNING id) SELECT * FROM gone", "data-modifying"],
    ["SELECT nextval('numbers')", "would change the database"],
    ["SELECT set_config('transaction_read_only', 'off', true), nextval('numbers')", "read-write mode"],
    ["SELECT 1 AS id; DROP TABLE items", "multiple commands"],
    ["SELECT * INTO copies FROM items", "The database says"],
    ["SELECT id, id FROM items", 'Two columns of the query are called "id"'],
    ["SELECT nothing FROM items", 'column "nothing" does not exist'],
    ["SELECT id FROM items WHERE id = 1", "no rows"],
  ])("fails for %s, and changes nothing", async (query, said) => {
    await source.run("CREATE SEQUENCE IF NOT EXISTS numbers; GRANT ALL ON numbers, items TO reader");
    expect(await problemOf({ query })).toEqual(["FAILED", "IMPORT_QUERY", expect.stringContaining(said)]);
    const counts = "SELECT (SELECT count(*)::int FROM items) AS items, (SELECT is_called FROM numbers) AS called";
    expect(await source.run(counts)).toEqual([{ items: 2, called: false }]);
  });

  it("says who was not let in, and where there is nothing", async () => {
    const query = "SELECT id FROM items";
    const [state, code, detail] = await problemOf({ query, credential: "wrong" });
    expect([state, code]).toEqual(["FAILED", "IMPORT_REFUSED"]);
    expect(detail).not.toMatch(/reader|not the password/);
    const none = { query, url: source.url.replace("/postgres?", "/nothing?") };
    expect((await problemOf(none)).slice(0, 2)).toEqual(["FAILED", "IMPORT_NOT_FOUND"]);
    const encrypted = { query, url: source.url.replace("?sslmode=disable", "") };
    expect(await problemOf(encrypted)).toEqual([
      "FAILED",
      "IMPORT_SOURCE",
      expect.stringContaining("does not encrypt"),
    ]);
  });

  it("refuses at once: credentials for something else, addresses of private networks, and what is not said", async () => {
    const refusalOf = async (file: object) => {
      const { body } = await ask({ query: "SELECT 1 AS id", ...file });
      return [body.code, body.pointer];
    };
    const credential = "/files/0/credential";
    for (const name of ["elsewhere", "web", "nobody", undefined])
      expect(await refusalOf({ credential: name })).toEqual(["IMPORT_REFUSED", credential]);
    const secured = { url: `https://${source.host}/edges.csv`, query: undefined };
    expect(await refusalOf(secured)).toEqual(["IMPORT_REFUSED", credential]);
    const addresses = [
      "postgresql://169.254.169.254/a",
      "mysql://10.0.0.1/a?sslmode=disable",
      "postgresql://[::ffff:10.0.0.1]/a",
      "postgresql://0x0a000001/a",
      "postgresql://93.184.216.34/a?sslmode=disable",
      "mysql://93.184.216.34/a",
      "postgresql://reader:secret@db.example.com/a",
      "postgresql://%2Fvar%2Frun/a",
      "postgresql://db.example.com/",
      "postgresql://db.example.com/a?host=10.0.0.1",
    ];
    for (const url of addresses)
      expect([url, ...(await refusalOf({ url }))]).toEqual([url, "IMPORT_ADDRESS", "/files/0/url"]);
    expect(await refusalOf({ query: undefined })).toEqual(["IMPORT_QUERY", "/files/0/query"]);
    expect(await refusalOf({ name: "items.csv" })).toEqual(["DATASET_FILE_NAME", "/files/0/name"]);
    expect(await refusalOf({ sha256: "0".repeat(64) })).toEqual(["REQUEST_INVALID", "/files/0/sha256"]);
  });

  it("asks the same again", async () => {
    const query = "SELECT count(*) AS id FROM items";
    const first = await ended({ query });
    const again = await app().admin.post(`/v1/imports/${first.id}/again`);
    expect(again.body.files).toMatchObject([{ query, rowsDone: 0, name: "query.jsonl" }]);
  });

  it("is proposed from tables and foreign keys, by REST and GraphQL, with what is asked for held to the guard", async () => {
    await source.run("CREATE TABLE parts (id int4 PRIMARY KEY, item int8 REFERENCES items)");
    const asked = { url: source.url, credential: "shop", tables: ["public.items", "parts"] };
    const propose = (more: object = {}) =>
      app()
        .admin.post("/v1/import-proposals")
        .send({ ...asked, ...more });
    const { body, status } = await propose();
    const edges = `SELECT s."id" AS "parts", s."item" AS "items" FROM "public"."parts" s WHERE s."item" IS NOT NULL`;
    expect([status, body.url, body.leftOut]).toEqual([200, source.url, []]);
    expect(body.files).toMatchObject([
      { name: "items.jsonl", kind: "nodes", table: "public.items", joins: [] },
      { name: "parts.jsonl", kind: "nodes", query: 'SELECT "id" FROM "public"."parts"' },
      { name: "parts_item_items.jsonl", kind: "edges", joins: ["public.parts", "public.items"], query: edges },
    ]);
    const query =
      "mutation P($input: ImportProposalInput!) { proposeImport(input: $input) { files { name kind query } } }";
    const answer = await app()
      .admin.post("/graphql")
      .send({ query, variables: { input: asked } });
    expect(answer.body.data.proposeImport.files[2]).toEqual({
      name: "parts_item_items.jsonl",
      kind: "EDGES",
      query: edges,
    });
    const refusalOf = async (more: object) => {
      const { code, pointer } = (await propose(more)).body;
      return [code, pointer];
    };
    expect(await refusalOf({ url: "postgresql://169.254.169.254/a" })).toEqual(["IMPORT_ADDRESS", "/url"]);
    expect(await refusalOf({ credential: "elsewhere" })).toEqual(["IMPORT_REFUSED", "/credential"]);
    expect(await refusalOf({ credential: "nobody" })).toEqual(["IMPORT_REFUSED", "/credential"]);
    expect(await refusalOf({ credential: "wrong" })).toEqual(["IMPORT_REFUSED", undefined]);
    expect(await refusalOf({ tables: ["items", "pg_authid"] })).toEqual(["IMPORT_NOT_FOUND", "/tables/1"]);
    const viewer = await keyFor(app(), "viewer");
    expect((await propose().set("authorization", viewer)).status).toBe(403);
  });
});
