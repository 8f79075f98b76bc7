import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { column, exportedJob } from "./support/exported-job.ts";
import { TargetDatabase, writerSecret } from "./support/target-database.ts";

// pgvector itself, where the PostgreSQL of this machine offers it (pg_available_extensions): Debian has a package of it
// from trixie on, and elsewhere it is built by hand.

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1", HOPWISE_IMPORT_QUERY_SECONDS: "30" });
let target: TargetDatabase;
let isOffered = false;

beforeAll(async () => {
  if (!isPostgresInstalled) return;
  target = await TargetDatabase.start();
  isOffered = (await target.run("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")).length > 0;
  if (!isOffered) return;
  await target.run(
    "CREATE SCHEMA tools; CREATE EXTENSION vector SCHEMA tools; ALTER ROLE hopwise SET search_path = public, tools",
  );
  await target.run("GRANT USAGE ON SCHEMA tools TO scribe");
  const body = { name: "target", kind: "databaseWrite", hosts: [target.source.host], secret: writerSecret };
  expect((await app().admin.post("/v1/source-credentials").send(body)).status).toBe(201);
});
beforeEach((context) => context.skip(!isOffered, "This PostgreSQL offers no extension vector (pgvector)."));
afterAll(() => target?.stop());

const rows = ["1\t[0.1,-2]", "2\t[1e-05,3.5]", "3\t[0,0]"];

const jobOf = (lines: readonly string[], dim: number) =>
  exportedJob(app(), {
    "embeddings.pgcopy": {
      text: lines.map((line) => `${line}\n`).join(""),
      shape: { key: ["id"], nodeType: null, columns: [column("id", "int64"), column("embedding", "vector", dim)] },
    },
  });

async function written(wish: object, lines: readonly string[] = rows, dim = 2) {
  const job = await jobOf(lines, dim);
  const asked = { url: target.url, credential: "target", schema: "results", ...wish };
  const { body, status } = await app().admin.post(`/v1/jobs/${job}/write-backs`).send(asked);
  expect([status, body.detail]).toEqual([202, undefined]);
  return until("the end", async () => {
    const found = (await app().admin.get(`/v1/write-backs/${body.id}`)).body;
    return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
  });
}

const refusalOf = async (wish: object, lines?: readonly string[], dim?: number) => {
  const { state, problem } = await written(wish, lines, dim);
  return [state, problem?.code, problem?.detail];
};

const made = async (table: string, type: string) => {
  await target.run(`CREATE TABLE results.${table} (id bigint PRIMARY KEY, embedding ${type})`);
  await target.run(`ALTER TABLE results.${table} OWNER TO scribe`);
};
const typeOf = async (table: string) =>
  (
    await target.run(
      `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = 'results.${table}'::regclass AND attname = 'embedding'`,
    )
  )[0]?.["type"];
const textsOf = async (table: string) =>
  (await target.run(`SELECT embedding::text AS text FROM results.${table} ORDER BY id`)).map(({ text }) => text);

describe.skipIf(!isPostgresInstalled)("a write-back with pgvector", () => {
  it("makes a column of vectors where the extension is, in a schema of its own", async () => {
    expect((await written({ table: "fresh" })).state).toBe("SUCCEEDED");
    expect(await typeOf("fresh")).toMatch(/^(tools\.)?vector\(2\)$/);
    expect(await textsOf("fresh")).toEqual(["[0.1,-2]", "[1e-05,3.5]", "[0,0]"]);
  });

  it.each(["vector(2)", "vector", "halfvec(2)"])("puts rows in the place of those of a column %s", async (type) => {
    const table = `replaced_${type.replaceAll(/\W/g, "")}`;
    await made(table, `tools.${type}`);
    await target.run(`INSERT INTO results.${table} VALUES (9, '[9,9]')`);
    expect((await written({ table, mode: "replace" })).state).toBe("SUCCEEDED");
    const near = await target.run(`
      SELECT id::int, (embedding <-> '[0,0]')::float4 AS distance FROM results.${table} ORDER BY distance, id`);
    expect(near.map(({ id }) => id)).toEqual([3, 1, 2]);
    // The distances of the plane; numbers of halfvec have 11 bits.
    const distances = [0, Math.hypot(0.1, 2), Math.hypot(1e-5, 3.5)];
    for (const [i, { distance }] of near.entries()) expect(distance).toBeCloseTo(distances[i]!, 3);
  });

  it("keeps an index, which finds the new rows", async () => {
    await made("indexed", "tools.vector(2)");
    await target.run("CREATE INDEX found ON results.indexed USING hnsw (embedding tools.vector_cosine_ops)");
    expect((await written({ table: "indexed", mode: "replace" })).state).toBe("SUCCEEDED");
    const [explained] = await target
      .run(
        "SET enable_seqscan = off; SELECT 1 AS one; EXPLAIN SELECT id FROM results.indexed ORDER BY embedding <=> '[0,-1]' LIMIT 1",
      )
      .then(() => target.run("SELECT id::int FROM results.indexed ORDER BY embedding <=> '[0,-1]' LIMIT 1"));
    expect(explained).toEqual({ id: 1 });
    expect(
      await target.run("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'results.found'::regclass"),
    ).toEqual([{ valid: true }]);
  });

  it("merges rows by their key", async () => {
    await made("merged", "tools.vector(2)");
    await target.run("INSERT INTO results.merged VALUES (2, '[7,7]'), (9, '[9,9]')");
    expect((await written({ table: "merged", mode: "upsert" })).state).toBe("SUCCEEDED");
    expect(await textsOf("merged")).toEqual(["[0.1,-2]", "[1e-05,3.5]", "[0,0]", "[9,9]"]);
  });

  it("refuses another number of numbers, types that are no vectors of numbers, and values that pgvector takes none of", async () => {
    const refused = (said: string) => ["FAILED", "WRITE_BACK_TABLE", expect.stringContaining(said)];
    await made("wider", "tools.vector(3)");
    expect(await refusalOf({ table: "wider", mode: "replace" })).toEqual(refused("expected 3 dimensions, not 2"));
    await made("sparse", "tools.sparsevec(2)");
    expect(await refusalOf({ table: "sparse", mode: "replace" })).toEqual(refused("sparsevec(2), expected vector(2)"));
    await made("half", "tools.halfvec(2)");
    expect(await refusalOf({ table: "half", mode: "replace" }, ["1\t[70000,1]"])).toEqual(refused("out of range"));
    expect(await refusalOf({ table: "none" }, ["1\t[NaN,1]"])).toEqual(refused("NaN not allowed in vector"));
    expect(await target.run("SELECT to_regclass('results.none') IS NULL AS isGone")).toEqual([{ isgone: true }]);
  });

  it("writes as many numbers as pgvector takes, and more as an array", async () => {
    const line = (dim: number) => [`1\t[${Array.from({ length: dim }, (_, i) => i % 7).join(",")}]`];
    for (const dim of [2001, 16_000]) {
      expect((await written({ table: `wide_${dim}` }, line(dim), dim)).state).toBe("SUCCEEDED");
      expect(await typeOf(`wide_${dim}`)).toMatch(new RegExp(`vector\\(${dim}\\)$`));
      expect(await target.run(`SELECT vector_dims(embedding) AS dims FROM results.wide_${dim}`)).toEqual([
        { dims: dim },
      ]);
    }
    expect((await written({ table: "wide_16001" }, line(16_001), 16_001)).state).toBe("SUCCEEDED");
    expect(await typeOf("wide_16001")).toBe("real[]");
  });

  it("says what is to be granted where the user may not use the extension's schema", async () => {
    await target.run("REVOKE USAGE ON SCHEMA tools FROM scribe");
    try {
      const said = expect.stringMatching(/permission denied for schema tools.* Grant/);
      expect(await refusalOf({ table: "denied" })).toEqual(["FAILED", "WRITE_BACK_TABLE", said]);
    } finally {
      await target.run("GRANT USAGE ON SCHEMA tools TO scribe");
    }
  });
});
