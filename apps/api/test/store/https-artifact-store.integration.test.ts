import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StoreServer } from "./support/store-server.ts";
import { OwnAuthority, TlsProxy } from "./support/tls-proxy.ts";

const client = fileURLToPath(new URL("support/store-client.mjs", import.meta.url));
let dir: string;
let authority: OwnAuthority;
let server: StoreServer;
let proxy: TlsProxy;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-tls-"));
  await mkdir(join(dir, "authority"));
  authority = new OwnAuthority(join(dir, "authority"));
  server = await StoreServer.start(join(dir, "store"));
  proxy = await TlsProxy.before(server.port, authority);
});
afterAll(async () => {
  await proxy?.close();
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

/** A process of its own, as Node reads NODE_EXTRA_CA_CERTS at its start alone. */
function useStore(url: string, env: Record<string, string>): Promise<Record<string, unknown>> {
  const grant = server.grant({ writes: [{ output: "p" }] });
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [client, url, grant], { env: { PATH: process.env["PATH"], ...env } }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
  });
}

it("over https with a certificate of one's own authority, named in NODE_EXTRA_CA_CERTS, blobs go there and back", async () => {
  expect(await useStore(proxy.url, { NODE_EXTRA_CA_CERTS: authority.file })).toEqual({
    stored: 2_000_000,
    isSame: true,
  });
});

it("a certificate of an authority that nobody knows is told at once, with what to do, and no grant is sent", async () => {
  const before = server.ranges.length;
  expect(await useStore(proxy.url, {})).toEqual({
    code: "ARTIFACT_UNREACHABLE",
    message: expect.stringMatching(
      /certificate of the artifact store at https:.* is not trusted here.*NODE_EXTRA_CA_CERTS/,
    ),
  });
  expect(server.ranges).toHaveLength(before);
});

it("a certificate for another name is told as that", async () => {
  const url = proxy.url.replace("127.0.0.1", "localhost");
  expect(await useStore(url, { NODE_EXTRA_CA_CERTS: authority.file })).toEqual({
    code: "ARTIFACT_UNREACHABLE",
    message: expect.stringMatching(/altnames.*use a host name that the certificate is for/),
  });
});
