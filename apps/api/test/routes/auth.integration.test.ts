import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeEachDatabase, useApp } from "../support/each-database.ts";
import { createDataset, keyFor } from "../support/fixtures.ts";

/** Every route that answers without credentials. A route missing here is closed, or this test fails. */
const openRoutes = [
  /^(GET|HEAD) \/(healthz|readyz|metrics|openapi\.json)$/,
  /^POST \/v1\/session$/,
  /^(GET|HEAD) \/docs/,
  /^(GET|HEAD) \/graphql-page/,
  // Files of the built dashboard.
  /^(GET|HEAD) \/(\*|index\.html|favicon\.svg|[\w-]+\.js|assets\/[\w.-]+)?$/,
  // The guides, which the build makes of docs/, as pages and as Markdown, and the list of these for assistants.
  /^(GET|HEAD) \/help(\.css|\/[\w-]+\.(html|md)|\/images\/[\w-]+\.png)$/,
  /^(GET|HEAD) \/llms\.txt$/,
];

describe("routes", () => {
  const app = useApp();

  it("are closed unless they are in the list of open ones", async () => {
    const { server, anonymous } = app();
    const declared = server.declaredRoutes.map(({ method, url, route }) => ({
      name: `${method} ${url}`,
      method,
      url,
      isOpen: route.config?.access === "open",
    }));
    expect(declared.length).toBeGreaterThan(40);
    expect(declared.filter(({ name, isOpen }) => isOpen !== openRoutes.some((open) => open.test(name)))).toEqual([]);
    for (const { method, url, isOpen } of declared) {
      if (isOpen) continue;
      const answer = await server.inject({ method: method as "GET", url: url.replace(":id", "x").replace("*", "x") });
      expect({ method, url, status: answer.statusCode }).toEqual({ method, url, status: 401 });
    }
    expect((await anonymous.get("/v1/datasets")).body).toMatchObject({ code: "AUTH_REQUIRED", status: 401 });
  });

  it("refuse a wrong, a revoked and a malformed key with AUTH_INVALID", async () => {
    const { admin, anonymous } = app();
    const issued = await admin.post("/v1/api-keys").send({ name: "short-lived", role: "viewer" });
    const authorization = `Bearer ${issued.body.secret}`;
    expect((await anonymous.get("/v1/datasets").set({ authorization })).status).toBe(200);
    expect((await admin.delete(`/v1/api-keys/${issued.body.id}`)).status).toBe(204);
    for (const bad of [authorization, "Bearer hw_nonsense", "Basic YTpi", "Bearer"]) {
      const answer = await anonymous.get("/v1/datasets").set({ authorization: bad });
      expect(answer.body).toMatchObject({ code: "AUTH_INVALID", status: 401 });
    }
  });

  it("give metrics to an admin only", async () => {
    const { admin, anonymous } = app();
    expect((await admin.get("/metrics")).text).toContain("hopwise_http_request_seconds");
    expect((await anonymous.get("/metrics")).status).toBe(401);
    expect((await anonymous.get("/metrics").set("authorization", await keyFor(app(), "editor"))).status).toBe(403);
  });
});

describe("the metrics token", () => {
  const app = useApp({ HOPWISE_METRICS_TOKEN: "metrics-token-0123456789" });

  it("opens /metrics and nothing else", async () => {
    const authorization = "Bearer metrics-token-0123456789";
    expect((await app().anonymous.get("/metrics").set({ authorization })).status).toBe(200);
    expect((await app().anonymous.get("/v1/datasets").set({ authorization })).status).toBe(401);
  });
});

describe("the first start", () => {
  const app = useApp();

  it("leaves a link and a key that only their owner can read", async () => {
    const { dataDir, signInLink } = app();
    const secrets = join(dataDir, "secrets");
    expect((await readFile(join(secrets, "sign-in-link"), "utf8")).trim()).toBe(signInLink);
    for (const name of ["sign-in-link", "admin-api-key"]) {
      expect((await stat(join(secrets, name))).mode & 0o777).toBe(0o600);
    }
  });

  it("signs in once with the link, by a cookie that scripts cannot read", async () => {
    const { anonymous, signInLink } = app();
    const token = new URL(signInLink ?? "").searchParams.get("token");
    const answer = await anonymous.post("/v1/session").send({ token });
    expect(answer.status).toBe(204);
    const [cookie = ""] = answer.get("Set-Cookie") ?? [];
    expect(cookie).toMatch(/^hopwise_session=hwc_/);
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Strict");
    const session = cookie.split(";")[0] ?? "";
    const me = await anonymous.post("/graphql").set("cookie", session).send({ query: "{ me { role user { name } } }" });
    expect(me.body.data.me).toEqual({ role: "ADMIN", user: { name: "admin" } });
    expect((await anonymous.post("/v1/session").send({ token })).body.code).toBe("AUTH_INVALID");
    expect((await anonymous.delete("/v1/session").set("cookie", session)).status).toBe(204);
    expect((await anonymous.get("/v1/datasets").set("cookie", session)).status).toBe(401);
  });

  it("can be repeated: a new link makes the unused older one worthless", async () => {
    const { admin, anonymous } = app();
    const tokens: (string | null)[] = [];
    for (let i = 0; i < 2; i++) {
      const { body } = await admin.post("/v1/sign-in-links");
      tokens.push(new URL(body.url).searchParams.get("token"));
    }
    expect((await anonymous.post("/v1/session").send({ token: tokens[0] })).status).toBe(401);
    expect((await anonymous.post("/v1/session").send({ token: tokens[1] })).status).toBe(204);
  });
});

describeEachDatabase("roles and projects", {}, (app) => {
  const roleCases = [
    { role: "viewer", read: 200, write: 403, keys: 403 },
    { role: "editor", read: 200, write: 201, keys: 403 },
    { role: "admin", read: 200, write: 201, keys: 200 },
  ];

  it.each(roleCases)(
    "let a $role read $read, write $write and list keys $keys",
    async ({ role, read, write, keys }) => {
      const authorization = await keyFor(app(), role);
      const { anonymous } = app();
      expect((await anonymous.get("/v1/datasets").set({ authorization })).status).toBe(read);
      expect((await anonymous.post("/v1/datasets").set({ authorization }).send({ name: role })).status).toBe(write);
      expect((await anonymous.get("/v1/api-keys").set({ authorization })).status).toBe(keys);
    },
  );

  it("hide another project's objects as if they did not exist", async () => {
    const { admin, anonymous } = app();
    const { body: other } = await admin.post("/v1/projects").send({ name: "other" });
    const dataset = await createDataset(app(), "secret");
    const authorization = await keyFor(app(), "admin", other.id);
    const asked = [
      ["get", `/v1/datasets/${dataset}`],
      ["delete", `/v1/datasets/${dataset}`],
      ["get", `/v1/datasets/${dataset}/preview`],
      ["post", `/v1/datasets/${dataset}/preview`],
    ] as const;
    for (const [method, url] of asked) {
      const answer = await anonymous[method](url).set({ authorization });
      expect(answer.body).toMatchObject({ status: 404, code: "REQUEST_NOT_FOUND" });
    }
    const query = "query($id: ID!) { dataset(id: $id) { id } datasets { totalCount } projects { id } }";
    const graphql = await anonymous
      .post("/graphql")
      .set({ authorization })
      .send({ query, variables: { id: dataset } });
    expect(graphql.body.data).toEqual({ dataset: null, datasets: { totalCount: 0 }, projects: [{ id: other.id }] });
    const foreign = await anonymous.post("/v1/datasets").set({ authorization }).send({ name: "x", project: "default" });
    expect(foreign.body.code).toBe("REQUEST_NOT_FOUND");
    const escape = await anonymous
      .post("/v1/api-keys")
      .set({ authorization })
      .send({ name: "x", role: "admin", project: "default" });
    expect(escape.body.code).toBe("REQUEST_NOT_FOUND");
  });

  it("are made by an admin of all projects, each name once", async () => {
    const { admin, anonymous } = app();
    const made = await admin.post("/v1/projects").send({ name: " risk " });
    expect([made.status, made.body.name]).toEqual([201, "risk"]);
    for (const name of ["risk", "default", made.body.id]) {
      expect((await admin.post("/v1/projects").send({ name })).body).toMatchObject({ code: "REQUEST_CONFLICT" });
    }
    expect((await admin.post("/v1/projects").send({ name: " " })).body).toMatchObject({ pointer: "/name" });
    for (const key of [await keyFor(app(), "editor"), await keyFor(app(), "admin", made.body.id)]) {
      const answer = await anonymous.post("/v1/projects").set("authorization", key).send({ name: "mine" });
      expect(answer.body.code).toBe("AUTH_FORBIDDEN");
    }
    const { body } = await admin.get("/v1/projects");
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["default", "risk"]));
    expect(JSON.stringify(body)).not.toContain("mine");
  });
});
