import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPostgresInstalled } from "../../apps/api/test/support/start-postgres.ts";
import { TargetDatabase, writer, writerSecret } from "../../apps/api/test/write-backs/support/target-database.ts";
import { Hopwise } from "../support/hopwise.ts";
import { downloadParquet } from "../support/parquet.ts";
import { hasPython, python } from "../support/python.ts";
import { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";

const numNodes = 600;
/** Ids that a double does not tell from the next one. */
const idOf = (node: number) => String(2n ** 60n + BigInt(node));

function writeGraph(dir: string): string[] {
  const nodes = Array.from({ length: numNodes }, (_, node) => node);
  const lines = nodes.map((i) => [idOf(i), i % 2, i % 4 < 2 ? "train" : "test", i % 2, i % 7].join(","));
  const edges = nodes.flatMap((i) => [1, 2, 4].map((step) => `${idOf(i)},${idOf((i + step) % numNodes)}`));
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  return [
    write("edges.csv", `src,dst\n${edges.join("\n")}\n`),
    write("nodes.csv", `id,label,split,f0,f1\n${lines.join("\n")}\n`),
  ];
}

describe.skipIf(!isPostgresInstalled)("results written back into PostgreSQL", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-write-back-"));
  let stack: Stack;
  let target: TargetDatabase;
  let job: string;

  beforeAll(async () => {
    target = await TargetDatabase.start();
    stack = await Stack.start({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1" });
    await stack.client.api.call("POST /v1/source-credentials", {
      body: { name: "target", kind: "databaseWrite", hosts: [target.source.host], secret: writerSecret },
    });
    const dataset = await stack.client.makeDataset("numbers", writeGraph(dir));
    job = await stack.client.submit({ dataset, task: { target: "label" }, train: { epochs: 2 } });
    expect((await stack.client.finished(job)).problem).toBeNull();
  });
  afterAll(async () => {
    await stack?.stop();
    await target?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const begin = async (wish: object) => {
    const body = { url: target.url, credential: "target", schema: "results", table: "t", ...wish };
    return (await stack.client.api.call("POST /v1/jobs/:id/write-backs", { params: { id: job }, body })).id;
  };
  const end = (id: string) =>
    until("the end of the write-back", async () => {
      const now = await stack.client.api.call("GET /v1/write-backs/:id", { params: { id } }).catch(() => null);
      return now && now.finishedAt !== null ? now : null;
    });

  it("are those of the Parquet export, row by row and bit by bit", async () => {
    const done = await end(await begin({ table: "vectors" }));
    expect([done.state, done.problem, done.rowsDone]).toEqual(["SUCCEEDED", null, numNodes]);
    // Both jobs made their rows of the same results.
    expect(done.exportJobId).toMatch(/^job_/);
    const exported = await downloadParquet(stack.client, "embeddings", job);
    const rows = await target.run("SELECT id::text, embedding FROM results.vectors");
    const found = new Map(rows.map(({ id, embedding }) => [id, Float32Array.from(embedding as number[])]));
    expect(found.size).toBe(numNodes);
    for (const { id, embedding } of exported)
      expect(found.get(String(id))).toEqual(Float32Array.from(embedding as Iterable<number>));
    expect([...found.keys()].map(String).toSorted()).toEqual(
      Array.from({ length: numNodes }, (_, i) => idOf(i)).toSorted(),
    );

    expect((await end(await begin({ table: "said", output: "predictions" }))).state).toBe("SUCCEEDED");
    const predicted = await downloadParquet(stack.client, "predictions", job);
    const said = new Map((await target.run("SELECT * FROM results.said")).map((row) => [row["id"], row]));
    // What the server writes of a real is the shortest decimal that reads as the same float32.
    const plain = (value: unknown) =>
      typeof value === "bigint" ? String(value) : typeof value === "number" ? Math.fround(value) : value;
    for (const row of predicted)
      for (const [name, value] of Object.entries(row))
        expect([name, plain(said.get(String(row["id"]))?.[name])]).toEqual([name, plain(value)]);
  });

  it("are asked for by the command line and by Python, and followed to their end or to what is wrong", async () => {
    const key = readFileSync(join(stack.dir, "secrets", "admin-api-key"), "utf8").trim();
    const env = { HOPWISE_URL: stack.url, HOPWISE_API_KEY: key };
    const hopwise = new Hopwise(dir);
    const args = [job, "--to", target.url, "--credential", "target", "--table", "results.by_hand"];
    const named = ["--column", "embedding=vec", "--column", "id=node"];
    const told = await hopwise.run(["write-back", ...args, ...named], { env });
    expect(told).toMatchObject({ code: 0, out: `${numNodes} rows in results.by_hand\n` });
    const same = "SELECT count(*)::int AS n FROM results.by_hand JOIN results.vectors ON id = node AND embedding = vec";
    expect(await target.run(same)).toEqual([{ n: numNodes }]);
    const again = await hopwise.run(["write-back", ...args], { env });
    expect([again.code, again.err]).toEqual([5, expect.stringContaining("WRITE_BACK_TABLE")]);
    expect(again.err).toContain('"results.by_hand" already');
    const listed = await hopwise.run(["write-backs", job], { env });
    expect(listed.out.match(/results\.by_hand/g)).toHaveLength(2);

    if (!hasPython) return;
    const program = `
import sys
from hopwise import Client, ProblemError
client = Client()
job, url = sys.argv[1:]
wish = {"schema": "results", "output": "predictions", "poll_seconds": 0.1}
print(client.write_back(job, url, "target", "by_python", **wish)["rowsDone"])
try:
    client.write_back(job, url, "target", "by_python", **wish)
except ProblemError as error:
    print(error.code)
`;
    const { stdout } = await python(["-c", program, job, target.url], { env });
    expect(stdout).toBe(`${numNodes}\nWRITE_BACK_TABLE\n`);
  });

  it("leave nothing behind when the API is killed before the end, and are whole after its next start", async () => {
    await target.run(
      "CREATE EVENT TRIGGER gate ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION wait_after_ddl()",
    );
    const open = await target.closeGate();
    const id = await begin({ table: "struck" });
    // All rows are in the table by now, and its key is made.
    await until("the gate", () => target.isAtGate());
    await stack.api.kill("SIGKILL");
    await until("the database to notice", async () => (await target.writers()) === 0);
    expect(await target.run("SELECT to_regclass('results.struck') AS found")).toEqual([{ found: null }]);
    await open();
    stack.api.start();
    await stack.ready();
    const done = await end(id);
    expect([done.state, done.problem, done.rowsDone]).toEqual(["SUCCEEDED", null, numNodes]);
    const same = `SELECT count(*)::int AS n FROM results.struck JOIN results.vectors USING (id, embedding)`;
    expect(await target.run(same)).toEqual([{ n: numNodes }]);

    expect(stack.logOf("api")).not.toContain(writer.password);
  });
});
