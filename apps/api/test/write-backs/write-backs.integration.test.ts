import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { column, exportedJob } from "./support/exported-job.ts";
import { TargetDatabase, writer, writerSecret } from "./support/target-database.ts";

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1", HOPWISE_IMPORT_QUERY_SECONDS: "30" });
let target: TargetDatabase;
/** Ids are whole numbers; predictions are known of some nodes. */
let numbered: string;
/** Ids are texts, as awkward as they may be. */
let named: string;

const node = { key: ["id"], nodeType: null };
const ids = ["a", "[b]", "tab\there", "two\nlines", "back\\slash", "{1,2}", ""];
const escaped = (id: string) => id.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");

beforeAll(async () => {
  if (!isPostgresInstalled) return;
  target = await TargetDatabase.start();
  const host = target.source.host;
  const kept = [
    { name: "target", kind: "databaseWrite", hosts: [host], secret: writerSecret },
    { name: "wrong", kind: "databaseWrite", hosts: [host], secret: `${writer.user}:not the password` },
    { name: "elsewhere", kind: "databaseWrite", hosts: ["db.example.com"], secret: writerSecret },
    { name: "reading", kind: "database", hosts: [host], secret: writerSecret },
  ];
  for (const body of kept) expect((await app().admin.post("/v1/source-credentials").send(body)).status).toBe(201);
  numbered = await exportedJob(app(), {
    "embeddings.pgcopy": {
      text: "9007199254740993\t[0.1,-2]\n2\t[1e-05,3.5]\n-7\t[0,0]\n",
      shape: { ...node, columns: [column("id", "int64"), column("embedding", "vector", 2)] },
    },
    "embeddings.author.pgcopy": {
      text: "2\t[1e-05,3.5]\n",
      shape: { ...node, nodeType: "author", columns: [column("id", "int64"), column("embedding", "vector", 2)] },
    },
    "predictions.pgcopy": {
      text: "9007199254740993\ttrain\t0.25\n2\t\\N\t\\N\n-7\ttest\t1\n",
      shape: { ...node, columns: [column("id", "int64"), column("split", "text"), column("confidence", "float32")] },
    },
    "pairs.pgcopy": {
      text: "2\t-7\t1\t0.5\n2\t-7\t1\t0.5\n",
      shape: {
        key: [],
        nodeType: null,
        columns: [
          column("source", "int64"),
          column("target", "int64"),
          column("link", "int32"),
          column("score", "float32"),
        ],
      },
    },
  });
  named = await exportedJob(app(), {
    "embeddings.pgcopy": {
      text: ids.map((id, i) => `${escaped(id)}\t[${i},0.5]\n`).join(""),
      shape: { ...node, columns: [column("id", "text"), column("embedding", "vector", 2)] },
    },
  });
});
afterAll(() => target?.stop());

const ask = (wish: object, job = numbered) =>
  app()
    .admin.post(`/v1/jobs/${job}/write-backs`)
    .send({ url: target.url, credential: "target", schema: "results", ...wish });
const read = async (id: string) => (await app().admin.get(`/v1/write-backs/${id}`)).body;

async function begun(wish: object, job = numbered): Promise<string> {
  const { body, status } = await ask(wish, job);
  expect([status, body.detail]).toEqual([202, undefined]);
  return body.id;
}

const end = (id: string) =>
  until("the end", async () => {
    const found = await read(id);
    return ["SUCCEEDED", "FAILED", "CANCELLED"].includes(found.state) ? found : null;
  });

const written = async (wish: object, job = numbered) => end(await begun(wish, job));

async function problemOf(wish: object, job = numbered) {
  const { state, problem } = await written(wish, job);
  return [state, problem?.code, problem?.detail];
}

const typesOf = async (table: string) =>
  (
    await target.run(
      `SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS types FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0`,
    )
  )[0]?.["types"];
const keyOf = async (table: string) =>
  (
    await target.run(`SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = '${table}'::regclass`)
  )[0]?.["key"];

describe.skipIf(!isPostgresInstalled)("a write-back into PostgreSQL", () => {
  it("makes a table with every digit of the ids and numbers, a primary key, and nothing of the password in the answer", async () => {
    const done = await written({ table: "vectors" });
    expect(done).toMatchObject({ state: "SUCCEEDED", rowsDone: 3, rowsTotal: 3, problem: null, etaSeconds: null });
    expect(JSON.stringify(done)).not.toMatch(/between us|scribe/);
    expect(await typesOf("results.vectors")).toBe("id bigint, embedding real[]");
    expect(await keyOf("results.vectors")).toBe("PRIMARY KEY (id)");
    expect(await target.run("SELECT id::text, embedding::text FROM results.vectors ORDER BY id")).toEqual([
      { id: "-7", embedding: "{0,0}" },
      { id: "2", embedding: "{1e-05,3.5}" },
      { id: "9007199254740993", embedding: "{0.1,-2}" },
    ]);
    const listed = (await app().admin.get(`/v1/jobs/${numbered}/write-backs`)).body.items;
    expect(listed[0]).toEqual(done);
  });

  it("keeps ids that are texts as they are, and writes a column for each number", async () => {
    const wish = { table: "spread", vector: "columns", columns: { id: "paper", embedding: "x" } };
    expect((await written(wish, named)).state).toBe("SUCCEEDED");
    expect(await typesOf("results.spread")).toBe("paper text, x_0 real, x_1 real");
    const rows = await target.run("SELECT paper, x_0, x_1 FROM results.spread ORDER BY x_0");
    expect(rows).toEqual(ids.map((paper, i) => ({ paper, x_0: i, x_1: 0.5 })));
    expect((await written({ table: "texts" }, named)).state).toBe("SUCCEEDED");
    expect(await target.run("SELECT id, embedding[1]::int AS i FROM results.texts ORDER BY i")).toEqual(
      ids.map((id, i) => ({ id, i })),
    );
  });

  it("writes predictions with what is not known as NULL, pairs without a key, and the nodes of one type", async () => {
    expect((await written({ table: "said", output: "predictions", columns: { split: "part" } })).state).toBe(
      "SUCCEEDED",
    );
    expect(await typesOf("results.said")).toBe("id bigint, part text, confidence real");
    expect(await target.run("SELECT id::text, part, confidence FROM results.said ORDER BY id DESC")).toEqual([
      { id: "9007199254740993", part: "train", confidence: 0.25 },
      { id: "2", part: null, confidence: null },
      { id: "-7", part: "test", confidence: 1 },
    ]);
    expect((await written({ table: "pairs", output: "pairs" })).rowsDone).toBe(2);
    expect([await typesOf("results.pairs"), await keyOf("results.pairs")]).toEqual([
      "source bigint, target bigint, link integer, score real",
      undefined,
    ]);
    expect((await written({ table: "authors", nodeType: "author" })).rowsDone).toBe(1);
    const { body, status } = await ask({ table: "none", nodeType: "paper" });
    expect([status, body.code, body.pointer]).toEqual([409, "JOB_WITHOUT_RESULTS", "/nodeType"]);
  });

  it("finds its own table where a process died after the database had kept it, and before that was written down", async () => {
    const { id, jobId } = await written({ table: "kept" });
    const made =
      "SELECT obj_description(oid) AS comment, relfilenode FROM pg_class WHERE oid = 'results.kept'::regclass";
    const before = await target.run(made);
    expect(before[0]?.["comment"]).toBe(`The embeddings of job ${jobId}, written by Hopwise (${id})`);
    const unfinished = { state: "RUNNING", finishedAt: null, isCommitting: true } as const;
    await app().services.prisma.writeBack.update({ where: { id }, data: unfinished });
    app().services.writer.wake();
    expect(await end(id)).toMatchObject({ state: "SUCCEEDED", rowsDone: 3, problem: null });
    expect(await target.run(made)).toEqual(before);
  });

  it("refuses a table that is there, and leaves it as it was", async () => {
    await target.run("CREATE TABLE results.mine AS SELECT 1 AS id");
    const said = expect.stringContaining('"results.mine" already; name another table');
    expect(await problemOf({ table: "mine" })).toEqual(["FAILED", "WRITE_BACK_TABLE", said]);
    expect(await target.run("SELECT * FROM results.mine")).toEqual([{ id: 1 }]);
  });

  it("takes the place of rows in one transaction: who reads sees all of the old or all of the new", async () => {
    await target.run(`
      CREATE TABLE results.swapped (id int8 PRIMARY KEY, embedding float8[], made timestamptz DEFAULT now());
      ALTER TABLE results.swapped OWNER TO scribe;
      INSERT INTO results.swapped (id, embedding) VALUES (1, '{1}'), (2, '{2}');
      CREATE VIEW results.seen AS SELECT id FROM results.swapped;
      GRANT SELECT ON results.swapped TO PUBLIC;
      CREATE TRIGGER gate BEFORE INSERT ON results.swapped FOR EACH ROW WHEN (NEW.id = -7) EXECUTE FUNCTION wait_at_gate();
    `);
    const open = await target.closeGate();
    const reader = await target.source.connect();
    try {
      await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
      const before = await reader.query("SELECT count(*)::int AS n FROM pg_class WHERE relname = 'swapped'");
      expect(before.rows).toEqual([{ n: 1 }]);
      const id = await begun({ table: "swapped", mode: "replace" });
      await until("two of three rows", () => target.isAtGate());
      expect(await target.run("SELECT id::int FROM results.seen ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
      await open();
      expect((await end(id)).state).toBe("SUCCEEDED");
      // A snapshot from before has the old rows even now, and one from after the new ones.
      expect((await reader.query("SELECT id::int FROM results.seen ORDER BY id")).rows).toEqual([{ id: 1 }, { id: 2 }]);
      expect(await target.run("SELECT id::text FROM results.seen ORDER BY id")).toEqual(
        ["-7", "2", "9007199254740993"].map((one) => ({ id: one })),
      );
      const grants = "SELECT has_table_privilege('pg_monitor', 'results.swapped', 'SELECT') AS may";
      expect(await target.run(grants)).toEqual([{ may: true }]);
    } finally {
      await reader.end();
    }
    expect((await written({ table: "anew", mode: "replace" })).state).toBe("SUCCEEDED");
    expect(await keyOf("results.anew")).toBe("PRIMARY KEY (id)");
  });

  it("merges rows by their key, and says what it needs where it cannot", async () => {
    await target.run(`
      CREATE TABLE results.merged (id int8 PRIMARY KEY, split text, confidence real, note text DEFAULT 'kept');
      ALTER TABLE results.merged OWNER TO scribe;
      INSERT INTO results.merged VALUES (2, 'val', 1, 'mine'), (3, 'val', 0.5, 'other');
      CREATE TABLE results.keyless (id int8, split text, confidence real);
      ALTER TABLE results.keyless OWNER TO scribe;
    `);
    const wish = { output: "predictions", mode: "upsert" };
    expect((await written({ ...wish, table: "merged" })).state).toBe("SUCCEEDED");
    expect(await target.run("SELECT id::text, split, confidence, note FROM results.merged ORDER BY id")).toEqual([
      { id: "-7", split: "test", confidence: 1, note: "kept" },
      { id: "2", split: null, confidence: null, note: "mine" },
      { id: "3", split: "val", confidence: 0.5, note: "other" },
      { id: "9007199254740993", split: "train", confidence: 0.25, note: "kept" },
    ]);
    expect(await problemOf({ ...wish, table: "keyless" })).toEqual([
      "FAILED",
      "WRITE_BACK_TABLE",
      expect.stringContaining("Give the table a primary key"),
    ]);
    await target.run("ALTER TABLE results.pairs OWNER TO scribe");
    expect((await problemOf({ output: "pairs", mode: "upsert", table: "pairs" }))[2]).toContain("may be alike");
  });

  it.each([
    ["other columns", "CREATE TABLE results.t (id int8, other text)", 'its column "embedding" is missing'],
    [
      "a column of another type",
      "CREATE TABLE results.t (id int8, embedding text)",
      "is of the type text, expected real[]",
    ],
    ["ids of another type", "CREATE TABLE results.t (id bool, embedding real[])", "column id: "],
    [
      "a column that must have a value",
      "CREATE TABLE results.t (id int8, embedding real[], x int NOT NULL)",
      "without a default",
    ],
    ["a view", "CREATE VIEW results.t AS SELECT 1::int8 AS id, '{}'::real[] AS embedding", "no table but a view"],
    [
      "a trigger that leaves rows out",
      `CREATE TABLE results.t (id int8, embedding real[]);
       CREATE FUNCTION results.none() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER none BEFORE INSERT ON results.t FOR EACH ROW WHEN (NEW.id < 0) EXECUTE FUNCTION results.none()`,
      "kept 2 of 3 rows",
    ],
  ])("refuses %s in the table, and changes nothing", async (_, sql, said) => {
    await target.run(sql);
    const isView = sql.includes("VIEW");
    try {
      await target.run(isView ? "" : "ALTER TABLE results.t OWNER TO scribe");
      const [state, code, detail] = await problemOf({ table: "t", mode: "replace" });
      expect([state, code]).toEqual(["FAILED", "WRITE_BACK_TABLE"]);
      expect(detail).toContain(said);
      expect(await target.run("SELECT count(*)::int AS n FROM results.t")).toEqual([{ n: isView ? 1 : 0 }]);
    } finally {
      await target.run(isView ? "DROP VIEW results.t" : "DROP TABLE results.t");
    }
  });

  it("takes names as they are, whatever they would do elsewhere", async () => {
    await target.run("CREATE TABLE public.kept AS SELECT 1 AS id");
    const table = 'x"; DROP TABLE public.kept; --';
    const columns = { id: 'id" bigint); DROP TABLE public.kept; --', embedding: "e', $1" };
    await target.run(`CREATE SCHEMA "a.""b" AUTHORIZATION scribe`);
    for (const mode of ["create", "replace", "upsert"])
      expect((await written({ schema: 'a."b', table, columns, mode })).state).toBe("SUCCEEDED");
    expect(await target.run(`SELECT * FROM "a.""b"."x""; DROP TABLE public.kept; --"`)).toHaveLength(3);
    expect(await target.run("SELECT * FROM public.kept")).toEqual([{ id: 1 }]);
  });

  it("ends at once when it is cancelled, and begins anew when its connection is cut", async () => {
    await target.run(`
      CREATE TABLE results.gated (id int8, embedding real[]);
      ALTER TABLE results.gated OWNER TO scribe;
      INSERT INTO results.gated VALUES (1, '{}');
      CREATE TRIGGER gate BEFORE INSERT ON results.gated FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION wait_at_gate();
    `);
    const open = await target.closeGate();
    const first = await begun({ table: "gated", mode: "replace" });
    await until("the gate", () => target.isAtGate());
    expect((await app().admin.post(`/v1/write-backs/${first}/cancel`)).body.state).toBe("CANCELLED");
    await until("the database at rest", async () => (await target.writers()) === 0);
    expect(await target.run("SELECT id::int FROM results.gated")).toEqual([{ id: 1 }]);
    expect((await app().admin.post(`/v1/write-backs/${first}/cancel`)).body.code).toBe("REQUEST_CONFLICT");

    const second = await begun({ table: "gated", mode: "replace" });
    await until("the gate", () => target.isAtGate());
    await target.cut();
    await until(
      "another try",
      async () => (await read(second)).waitReason?.includes("tried again") || (await target.isAtGate()),
    );
    await open();
    expect((await end(second)).state).toBe("SUCCEEDED");
    expect(await target.run("SELECT count(*)::int AS n FROM results.gated")).toEqual([{ n: 3 }]);
  });

  it("says who was not let in, what is missing, and what the user may not do", async () => {
    const [state, code, detail] = await problemOf({ table: "x", credential: "wrong" });
    expect([state, code]).toEqual(["FAILED", "WRITE_BACK_REFUSED"]);
    expect(detail).not.toMatch(/scribe|not the password/);
    const nothing = await problemOf({ table: "x", url: target.url.replace("/postgres?", "/nothing?") });
    expect(nothing).toEqual(["FAILED", "WRITE_BACK_ADDRESS", expect.stringContaining("no such database")]);
    const plain = { table: "x", url: target.url.replace("?sslmode=disable", "") };
    expect(await problemOf(plain)).toMatchObject([
      "FAILED",
      "WRITE_BACK_DATABASE",
      expect.stringContaining("does not encrypt"),
    ]);
    expect((await problemOf({ table: "x", schema: "nowhere" }))[2]).toContain("Create the schema first");
    await target.run("CREATE TABLE results.others (id int8, embedding real[])");
    expect((await problemOf({ table: "others", mode: "replace" }))[2]).toMatch(/permission denied.*Grant/);
    expect((await problemOf({ table: "x", vector: "vector" }))[2]).toContain("CREATE EXTENSION vector");
    expect((await problemOf({ table: "x", columns: { label: "y" } }))[2]).toContain('no column "label"');
    expect((await problemOf({ table: "x", columns: { id: "embedding" } }))[2]).toContain("two columns would be called");
  });

  it("refuses at once: other credentials, private addresses, other databases, and names that cannot be", async () => {
    const refusalOf = async (wish: object) => {
      const { body } = await ask({ table: "x", ...wish });
      return [body.code, body.pointer];
    };
    for (const credential of ["elsewhere", "reading", "nobody"])
      expect(await refusalOf({ credential })).toEqual(["WRITE_BACK_REFUSED", "/credential"]);
    for (const url of [
      "postgresql://10.0.0.1/shop",
      "postgresql://169.254.169.254/shop",
      "postgresql://scribe:secret@db.example.com/shop",
      "postgresql://8.8.8.8/shop?sslmode=disable",
      "mysql://db.example.com/shop",
      "https://example.com/",
    ])
      expect(await refusalOf({ url })).toEqual(["WRITE_BACK_ADDRESS", "/url"]);
    expect(await refusalOf({ schema: "pg_catalog" })).toEqual(["WRITE_BACK_TABLE", "/schema"]);
    expect(await refusalOf({ table: "é".repeat(40) })).toEqual(["WRITE_BACK_TABLE", "/table"]);
    expect(await refusalOf({ columns: { id: "a\nb" } })).toEqual(["WRITE_BACK_TABLE", "/columns/id"]);
    const unfinished = await exportedJob(app(), {});
    await app().services.prisma.job.update({ where: { id: unfinished }, data: { state: "RUNNING" } });
    expect((await ask({ table: "x" }, unfinished)).body.code).toBe("REQUEST_CONFLICT");
    // What may be written with is not read with.
    const dataset = await createDataset(app());
    const files = [{ url: target.url, query: "SELECT 1 AS id", credential: "target" }];
    const { body } = await app().admin.post(`/v1/datasets/${dataset}/imports`).send({ files });
    expect([body.code, body.pointer]).toEqual(["IMPORT_REFUSED", "/files/0/credential"]);
  });

  it("waits for the job that makes the rows, keeps nobody busy meanwhile, and says when that does not", async () => {
    const job = await exportedJob(app(), {});
    const { body } = await ask({ table: "later" }, job);
    expect(body).toMatchObject({ state: "WAITING", exportJobId: expect.stringMatching(/^job_/), rowsTotal: null });
    expect(body.waitReason).toContain(body.exportJobId);
    const again = (await ask({ table: "later2" }, job)).body;
    expect(again.exportJobId).toBe(body.exportJobId);
    // Two wait; one whose rows are there is written all the same.
    expect((await written({ table: "meanwhile" })).state).toBe("SUCCEEDED");
    expect((await read(body.id)).state).toBe("WAITING");
    expect((await app().admin.post(`/v1/write-backs/${again.id}/cancel`)).body.state).toBe("CANCELLED");
    expect((await app().admin.post(`/v1/jobs/${body.exportJobId}/cancel`)).status).toBe(202);
    const { state, problem } = await end(body.id);
    expect([state, problem.code]).toEqual(["FAILED", "WRITE_BACK_DATABASE"]);
    expect(problem.detail).toContain("is CANCELLED");
  });
});
