import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outputOf, programsDir } from "../../../test/support/page-program.ts";
import { readParquet } from "../../../test/support/parquet.ts";
import { HopwiseClient } from "../src/index.ts";
import { download } from "../src/node/index.ts";
import { clientSuite, type Scene } from "./conformance/client.suite.ts";
import { type Do, exchanges } from "./conformance/exchanges.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

clientSuite(
  "Node",
  async ({ url, key }) => {
    const client = new HopwiseClient({ url, key });
    const perform: Do = (exchange, input) => exchanges[exchange](client, input as never) as never;
    return { do: perform, stop: async () => {} };
  },
  (scene) => {
    downloads(scene);
    readme(scene);
  },
);

function downloads(scene: () => Scene): void {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "hw-download-"));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test("a download that is cut three times is asked for the rest, and has the digest of the stored file", async () => {
    const { proxy, client, trained: id } = scene();
    const mutes = [1, 4000, 3000].map((muteAnswerAfter) => ({ muteAnswerAfter }));
    proxy.disturb("GET", /embeddings/, ...mutes);
    const received: number[] = [];
    const path = join(dir, "embeddings.parquet");
    const file = await download(client, "GET /v1/jobs/:id/embeddings", path, {
      params: { id },
      onProgress: (bytes) => {
        received.push(bytes);
        if ([1, 4001, 7001].includes(bytes)) proxy.cut();
      },
    });
    const ranges = proxy.seen.flatMap(({ headers }) => headers.range ?? []);
    expect(ranges).toEqual(["bytes=1-", "bytes=4001-", "bytes=7001-"]);

    const { items } = await client.call("GET /v1/jobs/:id/artifacts", { params: { id } });
    const stored = items.flatMap(({ blobs }) => blobs).find(({ name }) => name === "embeddings.parquet");
    const content = readFileSync(path);
    expect(createHash("sha256").update(content).digest("hex")).toBe(stored?.sha256);
    expect(file).toEqual({ path, bytes: stored?.bytes, sha256: stored?.sha256 });
    expect(received).toEqual(received.toSorted((a, b) => a - b));
    expect(received.at(-1)).toBe(stored?.bytes);
    expect(readdirSync(dir)).toEqual(["embeddings.parquet"]);
  });

  test("a file that is not there leaves nothing behind but the problem", async () => {
    const { client, trained: id } = scene();
    const asked = download(client, "GET /v1/jobs/:id/embeddings", join(dir, "embeddings.csv"), {
      params: { id },
      query: { format: "csv" },
    });
    await expect(asked).rejects.toMatchObject({ name: "ProblemError", code: "EXPORT_NOT_MADE" });
    expect(readdirSync(dir)).toEqual([]);
  });

  test("a download that is stopped leaves nothing behind", async () => {
    const { client, trained: id } = scene();
    const controller = new AbortController();
    const asked = download(client, "GET /v1/jobs/:id/embeddings", join(dir, "embeddings.parquet"), {
      params: { id },
      onProgress: () => controller.abort(),
      signal: controller.signal,
    });
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(dir)).toEqual([]);
  });
}

function readme(scene: () => Scene): void {
  let dir: string;
  beforeEach(() => {
    mkdirSync(programsDir, { recursive: true });
    dir = mkdtempSync(join(programsDir, "hopwise-client-"));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test("the program of the README uploads, trains and downloads", async () => {
    const { url, dataDir } = scene();
    symlinkSync(dataDir, join(dir, ".hopwise"));
    symlinkSync(join(root, "examples"), join(dir, "examples"));
    const edit = (program: string) => program.replace("http://127.0.0.1:4680", url);
    const output = await outputOf("packages/client/README.md", dir, { edit, cwd: dir });
    expect(output.split("\n")).toContain("MetricsRecorded");
    expect(Number(/test accuracy ([\d.]+)/.exec(output)?.[1])).toBeGreaterThan(0.3);
    const ids = (await readParquet(join(dir, "embeddings.parquet"))).map(({ id }) => id);
    expect(ids).toHaveLength(150);
    for (const id of ["007", "7", "1e5", "000413E7"]) expect(ids).toContain(id);
  });
}
