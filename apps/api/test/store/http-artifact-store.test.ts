import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { HttpArtifactStore } from "@hopwise/artifacts";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { blobStoreSuite } from "../../../../packages/artifacts/test/conformance/artifact-store.suite.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";
import { nothing, StoreServer } from "./support/store-server.ts";

const everything = { writes: [{ output: "p" }] };
const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

const started: StoreServer[] = [];
afterAll(async () => {
  for (const server of started) await server.stop();
});

blobStoreSuite("over HTTP", async (dir) => {
  const server = await StoreServer.start(dir);
  started.push(server);
  return server.open(everything);
});

describe("a store over HTTP whose server goes away", () => {
  const blob = randomBytes(2_000_000);
  let dir: string;
  let server: StoreServer;
  let network: CuttingProxy;
  let store: HttpArtifactStore;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "hopwise-store-"));
    server = await StoreServer.start(join(dir, "store"));
    network = await CuttingProxy.before(server.port);
    store = server.open(everything, network.url);
    await writeFile(join(dir, "blob"), blob);
  });
  afterEach(async () => {
    await network.close();
    await server.stop();
    // What it was storing when its connections were cut it may be tidying up still.
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  });

  it("goes on reading where it was cut off, and reads nothing twice", async () => {
    await server.store.put("p/a", blob);
    network.cut({ way: "down", after: 500_000 });
    network.cut({ way: "down", after: 700_000 });
    expect(sha256(await buffer(await store.get("p/a")))).toBe(sha256(blob));
    const [first, ...later] = server.ranges;
    expect(first).toBeUndefined();
    expect(later).toEqual([
      expect.stringMatching(/^bytes=\d{5,}-1999999$/),
      expect.stringMatching(/^bytes=\d{6,}-1999999$/),
    ]);
    const [from = 0, after = 0] = later.map((range) => Number(/\d+/.exec(range ?? "")?.[0]));
    expect(from).toBeGreaterThan(300_000);
    expect(after).toBeGreaterThan(from);
  });

  it("sends a file and bytes again until the server has them all", async () => {
    network.cut({ way: "up", after: 800_000 });
    network.cut({ way: "up", after: 100_000 });
    expect(await store.put("p/file", { file: join(dir, "blob") })).toEqual({
      bytes: blob.length,
      sha256: sha256(blob),
    });
    network.cut({ way: "up", after: 800_000 });
    expect(await store.put("p/bytes", blob)).toEqual({ bytes: blob.length, sha256: sha256(blob) });
    expect(sha256(await buffer(await server.store.get("p/file")))).toBe(sha256(blob));
  });

  it("finds what it stored when only the answer was lost, and refuses what somebody else had stored", async () => {
    network.cut({ way: "down", after: 0 });
    expect(await store.put("p/a", blob)).toEqual({ bytes: blob.length, sha256: sha256(blob) });
    network.cut({ way: "down", after: 0 });
    await expect(store.put("p/a", Buffer.from("another"))).rejects.toMatchObject({ code: "ARTIFACT_EXISTS" });
  });

  it("waits for a server that ended in the middle of a read and of a put, and goes on when another is there", async () => {
    await server.store.put("p/a", blob);
    const { port, key } = server;
    const direct = server.open(everything);
    const read = await direct.get("p/a");
    const firstChunk = await once(read, "readable").then(() => read.read() as Buffer);
    async function* slowly() {
      yield blob.subarray(0, 100_000);
      await server.stop();
      yield blob.subarray(100_000);
    }
    const refused = direct.put("p/b", slowly());
    await expect(refused).rejects.toMatchObject({ code: "ARTIFACT_UNREACHABLE" });
    const put = direct.put("p/b", blob);
    const rest = buffer(read);
    server = await StoreServer.start(join(dir, "store"), { port, key });
    expect(Buffer.concat([firstChunk, await rest]).equals(blob)).toBe(true);
    expect(await put).toEqual({ bytes: blob.length, sha256: sha256(blob) });
  });

  it("sends a source that can be read once only once, and says that the server does not answer", async () => {
    async function* readOnce() {
      yield blob;
    }
    network.cut({ way: "up", after: 100_000 });
    await expect(store.put("p/a", readOnce())).rejects.toMatchObject({ code: "ARTIFACT_UNREACHABLE" });
    expect(await server.store.stat("p/a")).toBeNull();
  });

  it("waits no longer than it has patience for, or than it is wanted", async () => {
    await network.close();
    const access = { grant: server.grant(everything) };
    const impatient = new HttpArtifactStore({ url: network.url, patienceMs: 50 }, access);
    await expect(impatient.get("p/a")).rejects.toMatchObject({ code: "ARTIFACT_UNREACHABLE" });
    const stop = new AbortController();
    const stopped = new HttpArtifactStore({ url: network.url }, { ...access, signal: stop.signal });
    const waiting = [stopped.get("p/a"), stopped.put("p/a", blob), stopped.stat("p/a")];
    stop.abort();
    for (const call of waiting) await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });

  it("exchanges its grant for one that ends later, as long as the stage is at work", async () => {
    const grant = server.grant({ ...everything, expires: Math.ceil(Date.now() / 1000) + 600 });
    const holder = new HttpArtifactStore({ url: server.url }, { grant });
    await holder.renewGrant();
    const given = await fetch(`${server.url}/v1/store-grant`, {
      method: "POST",
      headers: { authorization: `Bearer ${grant}` },
    });
    const { grant: longer } = (await given.json()) as { grant: string };
    expect(longer).not.toBe(grant);
    server.isAtWork = false;
    await expect(holder.renewGrant()).rejects.toMatchObject({ code: "ARTIFACT_REFUSED" });
  });

  it("says STORAGE_FULL at once, for its caller knows better than it how long to wait for room", async () => {
    const full = await StoreServer.start(join(dir, "full"), { minFreeBytes: 2 ** 60 });
    started.push(full);
    const refused = full.open(everything).put("p/a", { file: join(dir, "blob") });
    await expect(refused).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await expect(refused).rejects.toThrow(/artifact store.*HOPWISE_MIN_FREE_BYTES/);
    expect(await full.store.stat("p/a")).toBeNull();
  });

  it("says ARTIFACT_REFUSED, with the reason, for what the grant does not name", async () => {
    const stranger = server.open({ ...nothing });
    await server.store.put("p/a", blob);
    for (const call of [stranger.get("p/a"), stranger.stat("p/a"), stranger.put("p/b", blob), stranger.delete("p/a")]) {
      await expect(call).rejects.toMatchObject({ code: "ARTIFACT_REFUSED" });
    }
    await expect(stranger.get("p/a")).rejects.toThrow(/does not name p\/a/);
  });
});
