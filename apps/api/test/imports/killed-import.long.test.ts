import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { ApiProgram } from "../support/api-program.ts";
import { SourceServer } from "./support/source-server.ts";

const logs = mkdtempSync(join(tmpdir(), "hw-import-logs-"));
const data = mkdtempSync(join(tmpdir(), "hw-import-"));
const settings = { HOPWISE_IMPORT_NETWORKS: "127.0.0.1" };
let source: SourceServer;
const programs: ApiProgram[] = [];

beforeAll(async () => {
  source = await SourceServer.start();
});
afterAll(async () => {
  for (const { program } of programs) await program.kill();
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
  readonly files: readonly { readonly sha256: string | null }[];
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
