import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canMountDisks, SmallDisk } from "../../../test/support/small-disk.ts";
import { until } from "../../../test/support/until.ts";
import { ApiProgram } from "./support/api-program.ts";

/** Half-written files; each writer also holds a lock there. */
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== "lock" ? [entry.name] : [],
  );
const megabyte = 1024 * 1024;
const reserve = 8 * megabyte;

describe.skipIf(!canMountDisks)("the API on a full disk", () => {
  let disk: SmallDisk;
  let logs: string;
  let api: ApiProgram;
  let dataset: string;
  beforeEach(async () => {
    disk = new SmallDisk(128);
    logs = mkdtempSync(join(tmpdir(), "hopwise-logs-"));
    api = await ApiProgram.start(join(disk.dir, "data"), logs, { HOPWISE_MIN_FREE_BYTES: String(reserve) });
    await api.ready();
    dataset = await api.makeDataset("before");
  });
  afterEach(async () => {
    await api.program.kill();
    disk.remove();
    rmSync(logs, { recursive: true, force: true });
  });

  const temporaries = () => filesBelow(join(disk.dir, "data/artifacts/.tmp"));
  const full = { status: 507, body: { code: "STORAGE_FULL", retryable: true } };

  it("refuses an upload that is known not to fit before it takes any of it", async () => {
    const { pid } = api.program;
    const declared = disk.freeBytes;
    const answer = await declare(declared);
    expect(answer).toMatchObject(full);
    expect(answer.body.detail).toMatch(/artifact store \(ARTIFACTS_URL\).*HOPWISE_MIN_FREE_BYTES/);
    expect(api.program.pid).toBe(pid);
  });

  it("takes no upload once the reserve is reached, keeps none of it, and takes the same one when there is room", async () => {
    disk.fill(reserve + 2 * megabyte);
    const file = new Uint8Array(64 * megabyte);
    expect(await api.upload(dataset, "large.csv", file)).toMatchObject(full);
    disk.fill(reserve / 2);
    expect(await api.upload(dataset, "small.csv", "a,b\n1,2\n")).toMatchObject(full);
    expect(temporaries()).toEqual([]);
    disk.empty();
    expect(await api.upload(dataset, "small.csv", "a,b\n1,2\n")).toMatchObject({ status: 201 });
  });

  it("goes on answering reads, says which disk is full to those who write, and writes again when there is room", async () => {
    disk.fill();
    const made = ["before"];
    const make = () => api.call("POST", "/v1/datasets", { name: `dataset ${made.length} ${"x".repeat(80)}` });
    let refusal = await make();
    for (; refusal.status === 201 && made.length < 3000; refusal = await make()) made.push(refusal.body.id);
    expect(refusal).toMatchObject(full);
    expect(refusal.body.detail).toContain("the database");
    // Long after the first refusal too: the log of changes must never be what runs out.
    for (let i = 0; i < 40; i++) await api.call("POST", "/v1/datasets", { name: `more ${i}` });
    const since = performance.now();
    expect((await api.datasets()).length).toBeGreaterThan(0);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(10_000); // it hung for a minute

    disk.empty();
    await until("room again", async () => (await api.call("POST", "/v1/datasets", { name: "after" })).status === 201);
    expect(await api.datasets()).toContain("after");
    const listed = async () => (await api.call("GET", `/v1/datasets/${dataset}`)).status;
    expect(await listed()).toBe(200);

    await api.program.kill("SIGKILL");
    api = await ApiProgram.start(join(disk.dir, "data"), logs, { HOPWISE_MIN_FREE_BYTES: String(reserve) });
    await api.ready();
    expect(await listed()).toBe(200);
  });

  it("does not start on one, says why, and starts on the same folder when there is room", async () => {
    await api.program.kill("SIGTERM");
    rmSync(join(disk.dir, "data"), { recursive: true });
    const data = join(disk.dir, "fresh");
    disk.fill(megabyte);
    api = await ApiProgram.start(data, logs);
    await until("its end", () => api.log.includes("The disk of the embedded database (HOPWISE_DATA) is full"));
    await api.program.kill("SIGKILL");
    disk.empty();
    api = await ApiProgram.start(data, logs);
    await api.ready();
    await api.makeDataset("at last");
  });

  /** The head of an upload of so many bytes, and then nothing. */
  async function declare(bytes: number): Promise<{ status: number | undefined; body: { detail: string } }> {
    const { authorization } = api.headers;
    const headers = { authorization, "content-type": "multipart/form-data; boundary=x", "content-length": bytes };
    const upload = request(`${api.url}/v1/datasets/${dataset}/files`, { method: "POST", headers });
    upload.flushHeaders();
    const [answer] = (await once(upload, "response")) as [IncomingMessage];
    const body = (await json(answer)) as { detail: string };
    upload.destroy();
    return { status: answer.statusCode, body };
  }
});
