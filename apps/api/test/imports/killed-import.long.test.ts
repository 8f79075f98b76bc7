import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { ApiProgram } from "../support/api-program.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { reader, SourceDatabase } from "./support/source-database.ts";
import { SourceServer } from "./support/source-server.ts";

const logs = mkdtempSync(join(tmpdir(), "hw-import-logs-"));
const data = mkdtempSync(join(tmpdir(), "hw-import-"));
const settings = { HOPWISE_IMPORT_NETWORKS: "127.0.0.1" };
let source: SourceServer;
const programs: ApiProgram[] = [];

beforeAll(async () => {
  source = await SourceServer.start();
});
// The database in the folder takes one program at a time.
afterEach(async () => {
  for (const { program } of programs.splice(0)) await program.kill();
});
afterAll(async () => {
  await source.close();
  rmSync(logs, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
});

async function startApi(): Promise<ApiProgram> {
  const api = await ApiProgram.start(data, logs, settings);
  programs.push(api);
  await api.ready();
  return api;
}

interface Shown {
  readonly state: string;
  readonly bytesDone: number;
  readonly waitReason: string | null;
  readonly files: readonly { readonly sha256: string | null; readonly rowsDone: number | null }[];
}

it("an import whose API is killed goes on with the next, from the parts that were stored", async () => {
  const part = 16 * 1024 ** 2;
  const bytes = randomBytes(2 * part + 12_345);
  // It sends one part and a half, and then nothing more.
  source.handlers.set("/big.csv", (_request, response) => {
    response.writeHead(200, { etag: '"1"', "content-length": bytes.byteLength });
    response.write(bytes.subarray(0, 1.5 * part));
  });
  const first = await startApi();
  const dataset = await first.makeDataset("big");
  const sent = await first.call("POST", `/v1/datasets/${dataset}/imports`, {
    files: [{ url: source.url("/big.csv") }],
  });
  expect(sent.status).toBe(202);
  const read = async (api: ApiProgram) =>
    (await api.call("GET", `/v1/imports/${sent.body.id}`)).body as unknown as Shown;
  await until("a part and some", async () => (await read(first)).bytesDone > part);
  await first.program.kill("SIGKILL");

  source.handlers.clear();
  source.files.set("/big.csv", { bytes, etag: '"1"' });
  const second = await startApi();
  const done = await until("the end", async () => {
    const found = await read(second);
    return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
  });
  expect(done).toMatchObject({ state: "SUCCEEDED", bytesDone: bytes.byteLength });
  expect(done.files[0]?.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  const [, goneOnFrom = 0] = source.startsOf("/big.csv");
  expect(goneOnFrom).toBeGreaterThanOrEqual(part);
});

it.skipIf(!isPostgresInstalled)(
  "a query whose API is killed runs again from its first row, and no log has the password",
  async () => {
    const database = await SourceDatabase.start();
    try {
      await database.run("CREATE TABLE gate AS SELECT 600 AS seconds");
      const first = await startApi();
      const secret = `${reader.user}:${reader.password}`;
      const kept = { name: "shop", kind: "database", hosts: [database.host], secret };
      expect((await first.call("POST", "/v1/source-credentials", kept)).status).toBe(201);
      const dataset = await first.makeDataset("asked");
      const held = "i <> 400000 OR pg_sleep((SELECT seconds FROM gate)) IS NOT NULL";
      const query = `SELECT i AS id, repeat('x', 60) AS text FROM generate_series(1, 500000) i WHERE ${held}`;
      const files = [{ url: database.url, query, credential: "shop" }];
      const sent = await first.call("POST", `/v1/datasets/${dataset}/imports`, { files });
      expect(sent.status).toBe(202);
      const read = async (api: ApiProgram) =>
        (await api.call("GET", `/v1/imports/${sent.body.id}`)).body as unknown as Shown;
      await until("a part and some", async () => (await read(first)).bytesDone > 16 * 1024 ** 2);
      await first.program.kill("SIGKILL");
      await until("the database to notice", async () => (await database.importers()) === 0);

      await database.run("UPDATE gate SET seconds = 0");
      const second = await startApi();
      const done = await until("the end", async () => {
        const found = await read(second);
        return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
      });
      const hash = createHash("sha256");
      for (let i = 1; i <= 500_000; i++) hash.update(`{"id":${i},"text":"${"x".repeat(60)}"}\n`);
      const sha256 = hash.digest("hex");
      expect(done).toMatchObject({ state: "SUCCEEDED", files: [{ rowsDone: 500_000, sha256 }] });
      for (const api of [first, second]) expect(api.log).not.toContain(reader.password);
    } finally {
      await database.stop();
    }
  },
);
