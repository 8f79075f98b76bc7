import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HopwiseClient } from "@hopwise/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { ApiProgram } from "../support/api-program.ts";
import { freshDatabase } from "../support/fresh-database.ts";

const logs = mkdtempSync(join(tmpdir(), "hw-upload-logs-"));
const data = mkdtempSync(join(tmpdir(), "hw-upload-"));
const part = 16 * 1024 ** 2;
const programs: ApiProgram[] = [];
let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  for (const { program } of programs) await program.kill();
  await database?.drop();
  rmSync(logs, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
});

async function startApi(env: Record<string, string> = {}): Promise<ApiProgram> {
  const api = await launchApi(env);
  await api.ready();
  return api;
}

async function launchApi(env: Record<string, string>): Promise<ApiProgram> {
  const api = await ApiProgram.start(data, logs, env);
  programs.push(api);
  return api;
}

/** A file whose bytes come no further than `upTo`, until it is let. */
function heldFile(bytes: Uint8Array, upTo: number) {
  let isHeld = true;
  const streamFrom = (start: number, end: number) =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytes.subarray(start, Math.min(end, isHeld ? upTo : end)));
        await until("the file to be let go on", () => !isHeld);
        if (upTo < end && start < upTo) controller.error(new Error("cut"));
        else controller.close();
      },
    });
  const file = {
    name: "big.bin",
    size: bytes.byteLength,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    stream: () => streamFrom(0, bytes.byteLength),
    slice: (start: number, end = bytes.byteLength) => ({ stream: () => streamFrom(start, end) }),
  };
  return {
    file,
    letGo: () => {
      isHeld = false;
    },
  };
}

it("an upload whose API is killed goes on with the next at the same address, from the parts that were stored", async () => {
  const bytes = randomBytes(2 * part + 54_321);
  const { file, letGo } = heldFile(bytes, 1.5 * part);
  const first = await startApi();
  const dataset = await first.makeDataset("big");
  const key = first.headers.authorization.replace("Bearer ", "");
  const client = new HopwiseClient({ url: first.url, key });
  const offsets: number[] = [];
  const sending = client.uploadFile({ dataset, file, onProgress: (sent) => offsets.push(sent) });
  await until("a part to be stored", () => readdirSync(data, { recursive: true }).some((path) => isPart(String(path))));
  await first.program.kill("SIGKILL");
  const port = new URL(first.url).port;
  letGo();
  await launchApi({ HOPWISE_PORT: port });
  const done = await sending;
  expect(done).toMatchObject({ state: "DONE", sha256: file.sha256 });
  // One part was there, and the half that was not yet stored was sent again.
  expect(offsets).toContain(part);
});

function isPart(path: string): boolean {
  return path.includes("uploads/up_") && path.endsWith("0".repeat(16));
}

it("of two API processes on one database, each goes on with what the other had received", async () => {
  const shared = { DATABASE_URL: database?.url ?? "" };
  const one = await startApi(shared);
  const other = await startApi(shared);
  const bytes = randomBytes(300_000);
  const dataset = await one.makeDataset("shared");
  const headers = {
    ...one.headers,
    "upload-length": String(bytes.byteLength),
    "upload-metadata": `filename ${Buffer.from("shared.bin").toString("base64")}`,
  };
  const made = await fetch(`${one.url}/v1/datasets/${dataset}/uploads`, { method: "POST", headers });
  const address = made.headers.get("location");
  for (let [from, turn] = [0, 0]; from < bytes.byteLength; from += 100_000, turn++) {
    const api = turn % 2 === 0 ? one : other;
    const answer = await fetch(api.url + address, {
      method: "PATCH",
      headers: { ...one.headers, "content-type": "application/offset+octet-stream", "upload-offset": String(from) },
      body: bytes.subarray(from, from + 100_000),
    });
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(from + 100_000)]);
  }
  const done = (await other.call("GET", address ?? "")).body;
  expect(done).toMatchObject({ state: "DONE", sha256: createHash("sha256").update(bytes).digest("hex") });
});
