import { describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor } from "../support/fixtures.ts";
import { ownOrigin, signIn } from "../support/session.ts";
import type { TestApp } from "../support/start-app.ts";

/** Requests with made-up keys, many at a time; how often each status was answered. */
async function flood({ anonymous }: TestApp, num: number, headers: (i: number) => Record<string, string> = () => ({})) {
  const counts: Record<number, number> = {};
  for (let i = 0; i < num; i += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, j) =>
        anonymous
          .get("/v1/workers")
          .set("authorization", `Bearer hw_${i + j}`)
          .set(headers(i + j)),
      ),
    );
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const metricsToken = "metrics-token-0123456789";

describe("a thousand made-up keys from one address", () => {
  const app = useApp({ HOPWISE_REQUESTS_PER_MINUTE: "60", HOPWISE_METRICS_TOKEN: metricsToken });

  it("end in REQUEST_RATE_LIMITED, and keep no key, session, health check or grant out", async () => {
    const { admin, anonymous } = app();
    const viewer = await keyFor(app(), "viewer");
    const cookie = await signIn(app());
    const counts = await flood(app(), 1000);
    expect(counts).toEqual({ 401: 60, 429: 940 });
    const last = await anonymous.get("/v1/workers").set("authorization", "Bearer hw_last");
    expect(last.body).toMatchObject({ code: "REQUEST_RATE_LIMITED", retryable: true });
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);

    expect((await admin.get("/v1/workers")).status).toBe(200);
    expect((await anonymous.get("/v1/workers").set("authorization", viewer)).status).toBe(200);
    expect((await anonymous.get("/v1/workers").set("cookie", cookie)).status).toBe(200);
    const made = await keyFor(app(), "editor");
    expect((await anonymous.get("/v1/workers").set("authorization", made)).status).toBe(200);
    for (const url of ["/healthz", "/readyz"]) expect((await anonymous.get(url)).status).toBe(200);
    const metrics = await anonymous.get("/metrics").set("authorization", `Bearer ${metricsToken}`);
    expect(metrics.status).toBe(200);
    // The store asks for a grant, and says so; it does not count who asks.
    expect((await anonymous.get("/v1/store/x").set("authorization", "Bearer hw_none")).status).toBe(401);
    expect((await anonymous.get("/openapi.json")).status).toBe(200);
  });

  it("are looked up together, not one by one", async () => {
    const queries: string[] = [];
    const { prisma } = app().services;
    const findMany = prisma.apiKey.findMany.bind(prisma.apiKey);
    const findUnique = prisma.apiKey.findUnique.bind(prisma.apiKey);
    const seen = <T extends (...args: never[]) => unknown>(name: string, call: T) =>
      ((...args) => {
        queries.push(name);
        return call(...args);
      }) as T;
    Object.assign(prisma.apiKey, { findMany: seen("many", findMany), findUnique: seen("one", findUnique) });
    try {
      expect(await flood(app(), 500)).toEqual({ 429: 500 });
      expect(queries.filter((name) => name === "one")).toEqual([]);
      expect(queries.length).toBeGreaterThan(0);
      expect(queries.length).toBeLessThan(50);
    } finally {
      Object.assign(prisma.apiKey, { findMany, findUnique });
    }
  });

  it("count health checks and grants as little as keys", async () => {
    const { anonymous } = app();
    const statuses = new Set<number>();
    for (let i = 0; i < 400; i++) statuses.add((await anonymous.get("/healthz")).status);
    for (let i = 0; i < 400; i++) statuses.add((await anonymous.get("/readyz")).status);
    expect([...statuses]).toEqual([200]);
    for (let i = 0; i < 400; i++) {
      statuses.add((await anonymous.get("/v1/store/x").set("authorization", "Bearer no")).status);
    }
    expect([...statuses]).toEqual([200, 401]);
  });
});

describe("a key", () => {
  const app = useApp({ HOPWISE_REQUESTS_PER_MINUTE: "10" });

  it("has a count of its own, which does not touch others", async () => {
    const { anonymous } = app();
    const keys = [await keyFor(app(), "viewer"), await keyFor(app(), "viewer")];
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      statuses.push((await anonymous.get("/v1/workers").set("authorization", keys[0] ?? "")).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect((await anonymous.get("/v1/workers").set("authorization", keys[1] ?? "")).status).toBe(200);
    const graphql = await anonymous
      .post("/graphql")
      .set("authorization", keys[0] ?? "")
      .send({ query: "{ me { role } }" });
    expect(graphql.body.errors[0].extensions.code).toBe("REQUEST_RATE_LIMITED");
    expect(Number(graphql.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("behind a proxy that is trusted", () => {
  const app = useApp({ HOPWISE_TRUSTED_PROXIES: "127.0.0.1, ::1/128" });

  it("addresses are told apart by what the proxy says", async () => {
    const from = (address: string) => ({ "x-forwarded-for": address });
    expect(await flood(app(), 100, () => from("203.0.113.1"))).toEqual({ 401: 60, 429: 40 });
    expect(await flood(app(), 50, () => from("203.0.113.2"))).toEqual({ 401: 50 });
    // What the client itself put in front is not believed.
    expect(await flood(app(), 50, (i) => from(`198.51.100.${i}, 203.0.113.1`))).toEqual({ 429: 50 });
    // Somebody with an IPv6 prefix is one address.
    const ipv6 = await flood(app(), 100, (i) => from(`2001:db8:1:2:${i.toString(16)}::1`));
    expect(ipv6).toEqual({ 401: 60, 429: 40 });
  });

  it("its host is the page's", async () => {
    const cookie = await signIn(app());
    const sent = (host: string) =>
      app()
        .anonymous.post("/v1/sign-in-links")
        .set({ cookie, origin: "https://hopwise.example", "x-forwarded-host": host, "x-forwarded-proto": "https" });
    expect((await sent("hopwise.example")).status).toBe(201);
    expect((await sent("other.example")).status).toBe(403);
  });
});

describe("without a trusted proxy", () => {
  const app = useApp();

  it("nobody's X-Forwarded-For or -Host is believed", async () => {
    const counts = await flood(app(), 100, (i) => ({ "x-forwarded-for": `198.51.100.${i}` }));
    expect(counts).toEqual({ 401: 60, 429: 40 });
    const cookie = await signIn(app());
    const answer = await app()
      .anonymous.post("/v1/sign-in-links")
      .set({ cookie, origin: "https://evil.example", "x-forwarded-host": "evil.example" });
    expect(answer.status).toBe(403);
    expect(ownOrigin(app())).not.toContain("evil");
  });
});
