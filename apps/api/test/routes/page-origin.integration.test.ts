import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { multipartOf } from "../support/multipart.ts";
import { ownOrigin, signIn } from "../support/session.ts";

const publicUrl = "https://hopwise.example";
const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };

describe("the session's cookie", () => {
  const app = useApp();
  let cookie = "";
  let dataset = "";
  beforeAll(async () => {
    cookie = await signIn(app());
    dataset = await createDataset(app());
  });

  const foreign = () => [
    { origin: "http://127.0.0.1:9" }, // a page on another port: SameSite lets it through
    { origin: "http://sibling.hopwise.example" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: ownOrigin(app()).replace("127.0.0.1", "127.0.0.1.evil.example") },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site" },
    browser,
  ];
  const own = () => [{ origin: ownOrigin(app()) }, { "sec-fetch-site": "same-origin", ...browser }, {}];

  const changes = [
    ["a sign-in link", () => app().anonymous.post("/v1/sign-in-links"), 201],
    ["a key", () => app().anonymous.post("/v1/api-keys").send({ name: "a", role: "admin" }), 201],
    ["a deletion", () => app().anonymous.delete("/v1/api-keys/none"), 404],
    [
      "a mutation",
      () => app().anonymous.post("/graphql").send({ query: 'mutation { deleteDataset(id: "none") }' }),
      404,
    ],
    [
      "an upload",
      () =>
        app()
          .anonymous.post(`/v1/datasets/${dataset}/files?preview=false`)
          .set(multipartOf.headers)
          .send(multipartOf([{ name: `${crypto.randomUUID()}.csv`, content: "a,b\n1,2\n" }])),
      201,
    ],
  ] as const;

  it.each(changes)("makes no %s for another page", async (_what, change) => {
    for (const headers of foreign()) {
      const { status, body } = await change().set("cookie", cookie).set(headers);
      const { code } = body.errors?.[0].extensions ?? body;
      expect({ headers, status, code }).toEqual({ headers, status: 403, code: "AUTH_ORIGIN" });
    }
    expect(await app().services.prisma.sourceFile.count()).toBe(0);
  });

  it.each(changes)("makes %s for our own page, and for a program", async (_what, change, expected) => {
    for (const headers of own()) {
      const { status } = await change().set("cookie", cookie).set(headers);
      expect({ headers, status }).toEqual({ headers, status: expected });
    }
    await app().services.prisma.sourceFile.deleteMany();
  });

  it("reads nothing for another page, neither data nor an event stream, but follows its links", async () => {
    const { anonymous } = app();
    for (const url of ["/v1/datasets", "/v1/jobs/none/events", "/metrics", "/graphql?query={me{role}}"]) {
      for (const headers of [{ "sec-fetch-site": "same-site" }, { origin: "http://127.0.0.1:9" }]) {
        expect((await anonymous.get(url).set("cookie", cookie).set(headers)).status).toBe(403);
      }
    }
    const link = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
    expect((await anonymous.get("/v1/datasets").set("cookie", cookie).set(link)).status).toBe(200);
    expect((await anonymous.get("/v1/datasets").set("cookie", cookie).set(browser)).status).toBe(200);
  });

  it("is not set by another page's sign-in", async () => {
    const link = await app().admin.post("/v1/sign-in-links");
    const token = new URL(link.body.url).searchParams.get("token");
    const evil = await app().anonymous.post("/v1/session").set("origin", "http://evil.example").send({ token });
    expect(evil.body.code).toBe("AUTH_ORIGIN");
    const good = await app().anonymous.post("/v1/session").set("origin", ownOrigin(app())).send({ token });
    expect(good.status).toBe(204);
  });

  it("does not matter where a key is sent", async () => {
    const answer = await app()
      .admin.post("/v1/sign-in-links")
      .set("cookie", cookie)
      .set("origin", "http://evil.example");
    expect(answer.status).toBe(201);
  });

  it("opens no socket for another page", async () => {
    for (const { origin, ...headers } of foreign() as { origin?: string }[]) {
      const found = await upgrade(ownOrigin(app()), { cookie, ...headers }, origin);
      expect({ origin, headers, found }).toEqual({ origin, headers, found: 403 });
    }
  });

  it("opens a socket for our own page, and a key in a header one for anybody", async () => {
    const address = ownOrigin(app());
    expect(await upgrade(address, { cookie, ...browser }, address)).toBe("open");
    expect(await upgrade(address, { cookie })).toBe("open");
    const key = { authorization: `Bearer ${app().adminKey}`, cookie };
    expect(await upgrade(address, key, "http://evil.example")).toBe("open");
  });
});

describe("a refused socket", () => {
  const app = useApp();

  it.each(["/graphql", "/v1/datasets", "/v1/session", "/nowhere"])("at %s is closed", async (path) => {
    const { port } = new URL(ownOrigin(app()));
    const socket = connect(Number(port), "127.0.0.1");
    const lines = [
      `GET ${path} HTTP/1.1`,
      "host: x",
      "connection: upgrade",
      "upgrade: websocket",
      "cookie: hopwise_session=no",
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 40[14] /);
  });
});

describe("the session's cookie behind a public https address", () => {
  const app = useApp({ HOPWISE_PUBLIC_URL: publicUrl });

  it("is secure, bound to this host, unreadable for scripts, and given back to it only", async () => {
    const link = await app().admin.post("/v1/sign-in-links");
    const token = new URL(link.body.url).searchParams.get("token");
    const answer = await app().anonymous.post("/v1/session").set("origin", publicUrl).send({ token });
    const [set = ""] = answer.get("Set-Cookie") ?? [];
    expect(set).toMatch(/^__Host-hopwise_session=hwc_/);
    for (const part of ["; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/"]) expect(set).toContain(part);
    expect(set).not.toContain("Domain");
    const cookie = set.split(";")[0] ?? "";
    const post = (origin: string) =>
      app().anonymous.post("/v1/sign-in-links").set({ cookie, origin, host: "127.0.0.1:4680" });
    expect((await post(publicUrl)).status).toBe(201);
    expect((await post("http://hopwise.example")).status).toBe(403);
    expect((await post("https://hopwise.example:8443")).status).toBe(403);
    const out = await app().anonymous.delete("/v1/session").set({ cookie, origin: publicUrl });
    expect(out.get("Set-Cookie")?.[0]).toMatch(/^__Host-hopwise_session=;.*Path=\/.*Secure/);
    expect((await post(publicUrl)).status).toBe(401);
  });
});

/** "open", or the status that the service answers an upgrade with. */
function upgrade(address: string, headers: Record<string, string>, origin?: string): Promise<"open" | number> {
  const socket = new WebSocket(`${address.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
    headers,
    ...(origin === undefined ? {} : { origin }),
  });
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      socket.terminate();
      resolve("open");
    });
    socket.on("unexpected-response", (_request, response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", reject);
  });
}
