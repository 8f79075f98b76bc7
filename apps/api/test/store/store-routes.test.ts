import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GrantClaims } from "../../src/store/grant-claims.ts";
import { grantKey, signGrant } from "../../src/store/grant-token.ts";
import { halfWritten } from "../support/half-written.ts";
import { nothing, StoreServer } from "./support/store-server.ts";

/** The grant of the host that has part 1 of two, and rank 0 */
const own: Partial<GrantClaims> = {
  reads: [{ prefix: "p/parts", only: ["part1/", "scale.npy"] }],
  writes: [{ output: "p/a1/3-train" }],
};

describe("the routes of the artifact store", () => {
  let dir: string;
  let server: StoreServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "hopwise-store-"));
    server = await StoreServer.start(join(dir, "store"), { blobBytes: 100_000 });
    for (const name of ["part0/x.npy", "part1/x.npy", "part10/x.npy", "node_map.npy", "manifest.json"]) {
      await server.store.put(`p/parts/${name}`, Buffer.from(name));
    }
    await server.store.put("p/secret", Buffer.from("secret"));
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  interface Sent {
    readonly authorization?: string | null;
    readonly body?: string | Buffer;
    readonly headers?: Record<string, string>;
  }

  /** A request with a path just as it is given: `fetch` would tidy it. */
  function ask(method: string, path: string, { authorization, body, headers = {} }: Sent = {}) {
    const bearer = authorization === undefined ? `Bearer ${server.grant(own)}` : authorization;
    return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
      const type = body === undefined ? {} : { "content-type": "application/octet-stream" };
      const given = { ...(bearer === null ? {} : { authorization: bearer }), ...type, ...headers };
      const sent = request({ port: server.port, host: "127.0.0.1", method, path, headers: given }, (answer) => {
        const { statusCode = 0, headers: said } = answer;
        text(answer).then((found) => resolve({ status: statusCode, body: found, headers: said }), reject);
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).status;

  it("give a slice the blobs of its own parts and the manifest; a foreign part's is answered 403, with the reason", async () => {
    expect(await ask("GET", "/v1/store/p/parts/part1/x.npy")).toMatchObject({ status: 200, body: "part1/x.npy" });
    expect(await statusOf("GET", "/v1/store/p/parts/manifest.json")).toBe(200);
    for (const name of ["part0/x.npy", "part10/x.npy", "node_map.npy", "part0/none.npy", "part1"]) {
      const { status, body, headers } = await ask("GET", `/v1/store/p/parts/${name}`);
      expect([status, JSON.parse(body).code]).toEqual([403, "GRANT_FORBIDDEN"]);
      expect(headers["content-type"]).toMatch(/^application\/problem\+json/);
      expect(await statusOf("HEAD", `/v1/store/p/parts/${name}`)).toBe(403);
      expect(await statusOf("PUT", `/v1/store/p/parts/${name}`, { body: "x" })).toBe(403);
      expect(await statusOf("DELETE", `/v1/store/p/parts/${name}`)).toBe(403);
    }
    // What may be read may not be written.
    expect(await statusOf("DELETE", "/v1/store/p/parts/part1/x.npy")).toBe(403);
    expect(await statusOf("PUT", "/v1/store/p/parts/part1/new.npy", { body: "x" })).toBe(403);
    expect(await server.store.stat("p/parts/part1/x.npy")).not.toBeNull();
  });

  it("know a missing blob from a forbidden one only where the grant reads", async () => {
    expect(await statusOf("GET", "/v1/store/p/parts/part1/none.npy")).toBe(404);
    expect(await statusOf("GET", "/v1/store/p/none")).toBe(403);
  });

  it.each([
    "/v1/store/p/parts/part1/../part0/x.npy",
    "/v1/store/p/parts/part1/%2e%2e/part0/x.npy",
    "/v1/store/p/parts/part1/..%2fpart0%2fx.npy",
    "/v1/store/p/parts/part1/%252e%252e/part0/x.npy",
    "/v1/store/p/parts/part1//../../../secret",
    "/v1/store/p/parts/part1/./x.npy",
    "/v1/store//etc/passwd",
    "/v1/store/",
    "/v1/store/p/parts/",
    "/v1/store/.tmp/x",
    "/v1/store/p/parts/part1/x.npy%00",
    "/v1/store/p/parts/part1\\..\\part0/x.npy",
    `/v1/store/${"x/".repeat(600)}x`,
    "/v1/store/p/a1/3-train/../../parts/part0/x.npy",
    "/v1/store/p/a1/3-train.checkpoint-1-1/%2e%2e/x",
    "/v1/store/p/a1/3-train.checkpoint-1-1",
    "/v1/store/p/a1/3-train.checkpoint-1-1x/a",
    "/v1/store/p/a1/3-trainer/a",
    "/v1/store/p/a1/3-train",
  ])("refuse the path %s in every method", async (path) => {
    for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: "x" } : {};
      expect([400, 403]).toContain(await statusOf(method, path, body));
    }
    expect(await readdir(join(dir, "store", "p"))).toEqual(["parts", "secret"]);
  });

  it("open to nothing but a grant of this service that has not expired", async () => {
    const grant = server.grant(own);
    const expired = server.grant({ ...own, expires: Math.floor(Date.now() / 1000) });
    const foreign = signGrant({ ...nothing, ...own }, grantKey("of another service"));
    for (const authorization of [
      null,
      "",
      "Bearer",
      `Basic ${grant}`,
      "Bearer hw_key",
      `Bearer ${expired}`,
      `Bearer ${foreign}`,
    ]) {
      const { status, body } = await ask("GET", "/v1/store/p/parts/part1/x.npy", { authorization });
      expect([status, JSON.parse(body).code]).toEqual([401, "GRANT_INVALID"]);
    }
    const cookie = await ask("GET", "/v1/store/p/parts/part1/x.npy", {
      authorization: null,
      headers: { cookie: "hopwise_session=x" },
    });
    expect(cookie.status).toBe(401);
  });

  it("refuse a grant at once when its attempt is fenced or its stage over, also of a blob that is on its way", async () => {
    server.isAtWork = false;
    for (const [method, path] of [
      ["GET", "p/parts/part1/x.npy"],
      ["PUT", "p/a1/3-train/x"],
      ["DELETE", "p/a1/3-train/x"],
    ] as const) {
      const { status, body } = await ask(method, `/v1/store/${path}`, method === "PUT" ? { body: "x" } : {});
      expect([status, JSON.parse(body).code]).toEqual([403, "GRANT_FORBIDDEN"]);
    }
    server.isAtWork = true;
    async function* overtaken() {
      yield Buffer.from("half");
      await vi.waitFor(async () => expect(await halfWritten(join(dir, "store"))).toHaveLength(1), { interval: 5 });
      server.isAtWork = false;
      yield Buffer.from("whole");
    }
    await expect(server.open(own).put("p/a1/3-train/x", overtaken())).rejects.toMatchObject({
      code: "ARTIFACT_REFUSED",
    });
    expect(await server.store.stat("p/a1/3-train/x")).toBeNull();
  });

  it("let rank 0's host write its output and checkpoints, and change nothing once a manifest is there", async () => {
    for (const folder of ["p/a1/3-train", "p/a1/3-train.checkpoint-12-340"]) {
      expect(await ask("PUT", `/v1/store/${folder}/w/x`, { body: "x" })).toMatchObject({ status: 201 });
      expect(await statusOf("DELETE", `/v1/store/${folder}/w`)).toBe(204); // a folder: nothing of it goes
      expect(await ask("GET", `/v1/store/${folder}/w/x`)).toMatchObject({ status: 200, body: "x" });
      expect(await statusOf("PUT", `/v1/store/${folder}/manifest.json`, { body: "{}" })).toBe(201);
      for (const name of ["w/x", "w/new", "manifest.json"]) {
        expect(await statusOf("DELETE", `/v1/store/${folder}/${name}`)).toBe(409);
        expect(await statusOf("PUT", `/v1/store/${folder}/${name}`, { body: "y" })).toBe(409);
      }
    }
  });

  it("take no blob that is larger than the limit, said or not, and keep nothing of it", async () => {
    const body = Buffer.alloc(100_001);
    expect(await statusOf("PUT", "/v1/store/p/a1/3-train/x", { body })).toBe(413);
    const unsaid = { body, headers: { "transfer-encoding": "chunked" } };
    expect(await statusOf("PUT", "/v1/store/p/a1/3-train/x", unsaid)).toBe(413);
    expect(await statusOf("PUT", "/v1/store/p/a1/3-train/x", { body: body.subarray(1) })).toBe(201);
    expect(await halfWritten(join(dir, "store"))).toEqual([]);
    const doctor = { holder: { doctor: "id" }, writes: [{ blob: "doctor/id.w" }] };
    const authorization = `Bearer ${server.grant(doctor)}`;
    expect(await statusOf("PUT", "/v1/store/doctor/id.w", { authorization, body: Buffer.alloc(1025) })).toBe(413);
    expect(await statusOf("PUT", "/v1/store/doctor/id.w", { authorization, body: "x" })).toBe(201);
    expect(await statusOf("POST", "/v1/store-grant", { authorization })).toBe(403);
  });

  it("serve a range, and say which cannot be served", async () => {
    const path = "/v1/store/p/parts/part1/x.npy";
    expect(await ask("GET", path, { headers: { range: "bytes=2-4" } })).toMatchObject({
      status: 206,
      body: "rt1",
      headers: { "content-range": "bytes 2-4/11", "content-length": "3" },
    });
    expect(await statusOf("GET", path, { headers: { range: "bytes=11-" } })).toBe(416);
  });
});
