import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HopwiseClient } from "../../src/index.ts";
import { download } from "../../src/node/index.ts";

let dir: string;
let server: Server;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hw-download-"));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dir, { recursive: true });
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Downloads from a server that answers as no correct service does. */
async function downloadFrom(
  answer: RequestListener,
  { type = "application/octet-stream", onProgress = () => {} }: { type?: string; onProgress?: () => unknown } = {},
) {
  server = createServer((request, response) => {
    response.setHeader("content-type", type);
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new HopwiseClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const params = { id: "an_artifact" };
  return download(client, "GET /v1/artifacts/:id", join(dir, "file"), { params, query: { blob: "file" }, onProgress });
}

test("a file that changes between two connections is taken from the beginning", async () => {
  const contents = ["the old content", "the new one"];
  let asked = 0;
  const wanted: unknown[] = [];
  const answer: RequestListener = ({ headers }, response) => {
    const content = contents[asked++] ?? "";
    wanted.push([headers.range, headers["if-range"]]);
    response.writeHead(200, { etag: `"${sha256(content)}"`, "content-length": content.length });
    if (asked === 1) response.write(content.slice(0, 7));
    else response.end(content);
  };
  // The connection breaks once the first bytes have arrived.
  await downloadFrom(answer, { onProgress: () => asked === 1 && server.closeAllConnections() });
  expect(wanted).toEqual([
    [undefined, undefined],
    ["bytes=7-", `"${sha256("the old content")}"`],
  ]);
  expect(readFileSync(join(dir, "file"), "utf8")).toBe("the new one");
});

test("what has another digest than the service says is no file", async () => {
  const damaged = downloadFrom((_, response) => {
    response.writeHead(200, { etag: `"${sha256("what was stored")}"` }).end("what was st0red");
  });
  await expect(damaged).rejects.toMatchObject({ code: "DOWNLOAD_DAMAGED" });
  expect(readdirSync(dir)).toEqual([]);
});

test("a manifest, whose ETag is the digest of what it lists, is taken as it is", async () => {
  const manifest = downloadFrom(
    (_, response) => {
      response.writeHead(200, { etag: `"${sha256("its blobs")}"` }).end("{}");
    },
    { type: "application/json; charset=utf-8" },
  );
  await expect(manifest).resolves.toMatchObject({ bytes: 2, sha256: sha256("{}") });
});
