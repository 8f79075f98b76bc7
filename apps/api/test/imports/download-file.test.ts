import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalArtifactStore } from "@hopwise/artifacts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StoredParts } from "../../src/datasets/stored-parts.ts";
import { type Download, downloadFile } from "../../src/imports/download-file.ts";
import type { Brought } from "../../src/imports/source-range.ts";
import { AddressGuard } from "../../src/requests/address-guard.ts";
import { SourceServer } from "./support/source-server.ts";

let source: SourceServer;
let store: LocalArtifactStore;
let folder: string;
let number = 0;
const guard = new AddressGuard(["127.0.0.1"], "HOPWISE_IMPORT_NETWORKS");

beforeAll(async () => {
  source = await SourceServer.start();
  folder = await mkdtemp(join(tmpdir(), "hopwise-import-"));
  store = await LocalArtifactStore.open(folder);
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  number++;
  source.files.clear();
  source.handlers.clear();
  source.requests.length = 0;
});

/** Bytes that tell where they are. */
function content(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255);
}

const prefix = () => `imports/${number}`;

interface Fetched {
  readonly sha256: string;
  readonly waited: string[];
  readonly begun: Brought[];
}

async function fetchFile(path: string, changed: Partial<Download> = {}): Promise<Fetched> {
  const parts = await StoredParts.open(store, prefix());
  const waited: string[] = [];
  const begun: Brought[] = [];
  await downloadFile({
    name: "edges.csv",
    url: new URL(source.url(path)),
    credential: null,
    guard,
    parts,
    validator: null,
    isChecked: false,
    mostBytes: 1e9,
    firstRetryMs: 1,
    signal: new AbortController().signal,
    onBegun: async (brought) => void begun.push(brought),
    onBytes: () => {},
    onWaiting: async (reason) => void (reason !== null && waited.push(reason)),
    ...changed,
  });
  const hash = createHash("sha256");
  for await (const piece of parts.read()) hash.update(piece);
  return { sha256: hash.digest("hex"), waited, begun };
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a file that is fetched", () => {
  it("goes on where the connection was cut, as long as the source has the same file", async () => {
    const bytes = content(300_000);
    source.files.set("/a", { bytes, etag: '"1"', cuts: [100_000, 1, 0, 50_000] });
    const { sha256, waited } = await fetchFile("/a");
    expect(sha256).toBe(digest(bytes));
    const starts = source.startsOf("/a");
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    // What was on its way when the connection broke is lost: at most a piece of 64 KiB.
    expect(starts[1]).toBeGreaterThan(100_000 - 2 ** 16);
    expect(starts.at(-1)).toBeGreaterThan(starts[1] ?? 0);
    expect(waited).toHaveLength(4);
    expect(waited[0]).toMatch(/^The source cannot be reached, or broke off: .*It is tried again\.$/);
  });

  it("is whole after cuts at any byte", async () => {
    const bytes = content(2000);
    const cuts = Array.from({ length: 40 }, (_, i) => (i * 37) % 53);
    source.files.set("/a", { bytes, etag: '"1"', cuts: cuts.map((cut) => cut + 1) });
    expect((await fetchFile("/a")).sha256).toBe(digest(bytes));
  });

  it("begins anew when the source has another file by then", async () => {
    const bytes = content(5000).toReversed();
    source.files.set("/a", { bytes: content(9000), etag: '"1"', cuts: [4000] });
    const { sha256 } = await fetchFile("/a", {
      onWaiting: async () => void source.files.set("/a", { bytes, etag: '"2"' }),
    });
    expect(sha256).toBe(digest(bytes));
    expect(source.startsOf("/a")).toEqual([0, 4000]);
  });

  it("begins anew where nothing tells whether the file is the same, and goes on where a checksum will", async () => {
    const bytes = content(5000);
    source.files.set("/a", { bytes, cuts: [4000] });
    expect((await fetchFile("/a")).sha256).toBe(digest(bytes));
    source.files.set("/b", { bytes, cuts: [4000] });
    number++;
    expect((await fetchFile("/b", { isChecked: true })).sha256).toBe(digest(bytes));
    expect([source.ranges("/a"), source.ranges("/b")]).toEqual([
      [undefined, undefined],
      [undefined, "bytes=4000-"],
    ]);
  });

  it("goes on with what a process left that was killed, from the store alone", async () => {
    const bytes = content(400_000);
    source.files.set("/a", { bytes, etag: '"1"', cuts: [150_000] });
    const killed = new AbortController();
    const stopped = fetchFile("/a", {
      signal: killed.signal,
      onWaiting: async () => killed.abort(new Error("killed")),
    });
    await expect(stopped).rejects.toThrow("killed");
    // A part that does not follow on what is there: the one before it was never stored.
    await store.put(`${prefix()}/${String(399_000).padStart(16, "0")}`, content(10));
    const { sha256 } = await fetchFile("/a", { validator: '"1"' });
    expect(sha256).toBe(digest(bytes));
    const [, goneOnFrom = 0] = source.startsOf("/a");
    expect(goneOnFrom).toBeGreaterThan(0);
    expect(goneOnFrom).toBeLessThanOrEqual(150_000);
  });

  it("is known to be whole when all of it was there already", async () => {
    const bytes = content(1000);
    source.files.set("/a", { bytes, etag: '"1"' });
    await fetchFile("/a");
    expect((await fetchFile("/a", { validator: '"1"' })).sha256).toBe(digest(bytes));
    expect(source.ranges("/a")).toEqual([undefined, "bytes=1000-"]);
  });

  it("is waited for while the source is overloaded, and given up after a few tries without a byte", async () => {
    let answers = 0;
    source.files.set("/a", { bytes: content(10), etag: '"1"' });
    source.handlers.set("/a", (_request, response) => {
      if (++answers === 3) source.handlers.delete("/a");
      response.writeHead(503).end();
    });
    expect((await fetchFile("/a")).waited).toHaveLength(3);
    number++;
    source.handlers.set("/b", (_request, response) => void response.destroy());
    await expect(fetchFile("/b")).rejects.toMatchObject({ problem: { code: "IMPORT_SOURCE" } });
    expect(source.ranges("/b")).toHaveLength(8);
  });

  it.each([
    [404, "IMPORT_NOT_FOUND", /no such file/],
    [410, "IMPORT_NOT_FOUND", /no such file/],
    [401, "IMPORT_REFUSED", /no credential was sent/],
    [403, "IMPORT_REFUSED", /no credential was sent/],
    [400, "IMPORT_SOURCE", /answers 400/],
  ])("is not asked for again when the source answers %i", async (status, code, detail) => {
    source.handlers.set("/a", (_request, response) => void response.writeHead(status).end());
    const problem = { code, detail: expect.stringMatching(detail) };
    await expect(fetchFile("/a")).rejects.toMatchObject({ problem });
    expect(source.requests).toHaveLength(1);
  });

  it("is refused when it is too large, by what the source says and by what comes", async () => {
    const problem = { code: "REQUEST_TOO_LARGE", file: "edges.csv" };
    source.files.set("/a", { bytes: content(5000) });
    await expect(fetchFile("/a", { mostBytes: 4999 })).rejects.toMatchObject({ problem });
    source.files.set("/b", { bytes: content(200_000), isPlain: true });
    await expect(fetchFile("/b", { mostBytes: 4999 })).rejects.toMatchObject({ problem });
    for await (const key of store.list(prefix())) expect.unreachable(key);
  });

  it("is refused when a page comes in its place, or it is packed for the way", async () => {
    const answerWith = (headers: Record<string, string>) =>
      source.handlers.set("/a", (_request, response) => void response.writeHead(200, headers).end("<html>"));
    answerWith({ "content-type": "text/html; charset=utf-8" });
    await expect(fetchFile("/a")).rejects.toThrow(/web page/);
    answerWith({ "content-type": "text/csv", "content-encoding": "br" });
    await expect(fetchFile("/a")).rejects.toThrow(/encoding br/);
  });
});

describe("redirects", () => {
  const redirect = (path: string, location: string) =>
    source.handlers.set(path, (_request, response) => void response.writeHead(302, { location }).end());

  it("are followed, relative ones too, and not for ever", async () => {
    source.files.set("/b", { bytes: content(10) });
    redirect("/a", "b");
    expect((await fetchFile("/a")).sha256).toBe(digest(content(10)));
    redirect("/c", "/c");
    await expect(fetchFile("/c")).rejects.toThrow(/more than 5 times/);
  });

  it.each([
    "http://127.0.0.2/latest/meta-data",
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:10.0.0.1]/",
    "https://localhost/",
    "https://2130706434/",
    "file:///etc/passwd",
    "ftp://127.0.0.1/a",
    "https://user:password@example.com/",
  ])("to %s are refused", async (location) => {
    // One of this computer's own addresses is allowed: the server's.
    redirect("/a", location);
    const problem = { code: "IMPORT_ADDRESS" };
    await expect(fetchFile("/a", { guard: onlyServer(location) })).rejects.toMatchObject({ problem });
    expect(source.requests).toHaveLength(1);
  });

  /** localhost is the address of the server, which is allowed: not by https then, where nothing else is. */
  function onlyServer(location: string): AddressGuard {
    if (!location.includes("localhost")) return guard;
    const once = new AddressGuard(["127.0.0.1"], "HOPWISE_IMPORT_NETWORKS");
    const strict = new AddressGuard([], "HOPWISE_IMPORT_NETWORKS");
    return Object.defineProperty(once, "lookup", { value: strict.lookup });
  }

  it("carry a credential to its own hosts only", async () => {
    const other = await SourceServer.start();
    try {
      source.files.set("/b", { bytes: content(10), needs: "authorization: Bearer s3cret" });
      other.files.set("/b", { bytes: content(20) });
      const credential = { kind: "bearer", hosts: [`127.0.0.1:${source.port}`], secret: "s3cret" } as const;
      redirect("/a", "/b");
      expect((await fetchFile("/a", { credential })).sha256).toBe(digest(content(10)));
      number++;
      redirect("/c", other.url("/b"));
      expect((await fetchFile("/c", { credential })).sha256).toBe(digest(content(20)));
      expect(source.requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("Bearer s3cret"));
      expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    } finally {
      await other.close();
    }
  });
});
