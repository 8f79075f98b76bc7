import { connect } from "node:net";
import { limits } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import type { TestApp } from "../support/start-app.ts";

const json = { "content-type": "application/json" };
const yaml = { "content-type": "application/yaml" };

describe("a stranger's body", () => {
  const app = useApp();

  it.each([
    ["YAML lists in each other", "/v1/session", yaml, "[".repeat(5000)],
    ["YAML maps in each other", "/v1/session", yaml, '{"a":'.repeat(50_000)],
    ["YAML where there is no route", "/nowhere", yaml, "[".repeat(5000)],
    ["YAML for a closed route", "/v1/jobs", yaml, "[".repeat(5000)],
    ["YAML for GraphQL", "/graphql", yaml, "[".repeat(5000)],
    ["YAML for the store", "/v1/store-grant", yaml, "[".repeat(5000)],
  ])("of %s is not parsed, and the service lives", async (_what, url, headers, body) => {
    const answer = await app().anonymous.post(url).set(headers).send(body);
    expect([401, 404, 415]).toContain(answer.status);
    expect((await app().anonymous.get("/healthz")).status).toBe(200);
  });

  it("is refused for its sender, or for the address, before it has come", async () => {
    const { server } = app();
    const routes = server.declaredRoutes.filter(({ method }) => ["POST", "PUT", "PATCH", "DELETE"].includes(method));
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, url } of [...routes, { method: "POST", url: "/nowhere" }]) {
      if (url === "/v1/session" && method === "POST") continue;
      const path = url.replace(":id", "x").replace("*", "x");
      expect({ method, url, status: await statusBeforeBody(app(), method, path) }).toEqual({
        method,
        url,
        status: url === "/nowhere" ? 404 : 401,
      });
    }
  });

  it("may be a sign-in token and nothing more", async () => {
    const { anonymous } = app();
    const sent = (body: string) => anonymous.post("/v1/session").set(json).send(body);
    expect((await sent('{"token":"x"}')).body.code).toBe("AUTH_INVALID");
    expect((await sent('{"token":"x","more":1}')).body.code).toBe("REQUEST_INVALID");
    expect((await sent('{"token":{"a":[]}}')).body).toMatchObject({ code: "REQUEST_INVALID", pointer: "/token" });
    expect((await sent(`{"token":"x"${" ".repeat(limits.signInBodyBytes)}}`)).body.code).toBe("REQUEST_TOO_LARGE");
  });

  it("is none when it only looks like a socket's", async () => {
    const { anonymous } = app();
    for (const method of ["post", "get"] as const) {
      const answer = await anonymous[method]("/graphql?query={me{role}}").set("upgrade", "websocket");
      expect(answer.status).toBe(401);
    }
  });
});

describe("the body of whoever has a key", () => {
  const app = useApp();

  it.each([
    ["/v1/jobs", json, "[".repeat(500_000)],
    ["/v1/jobs", json, '{"a":'.repeat(50_000)],
    ["/v1/jobs", json, `[${"0,".repeat(400_000)}0]`],
    ["/v1/jobs", yaml, "[".repeat(5000)],
    ["/v1/jobs/estimate", yaml, '{"a":'.repeat(5000)],
    ["/v1/datasets", json, "[".repeat(500_000)],
    ["/graphql", json, `{"query":"{me{role}}","variables":{"a":${"[".repeat(500_000)}`],
  ])("for %s is bounded before it is parsed", async (url, headers, body) => {
    const answer = await app().admin.post(url).set(headers).send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail ?? answer.body.errors[0].message).toMatch(
      /nested deeper than 32 levels|more than 100000 values/,
    );
  });

  it("is YAML only where a spec is sent", async () => {
    const { admin } = app();
    for (const [method, url] of [
      ["post", "/v1/jobs"],
      ["post", "/v1/jobs/estimate"],
      ["put", "/v1/datasets/ds_none/spec"],
    ] as const) {
      const answer = await admin[method](url).set(yaml).send("version: 1\n");
      expect(["JOB_SPEC_INVALID", "REQUEST_NOT_FOUND"]).toContain(answer.body.code);
    }
    for (const url of [
      "/v1/session",
      "/v1/datasets",
      "/v1/api-keys",
      "/v1/projects",
      "/graphql",
      "/v1/sign-in-links",
    ]) {
      expect((await admin.post(url).set(yaml).send("name: a\n")).status).toBe(415);
    }
    expect((await admin.post("/v1/jobs").set("content-type", "text/plain").send("a")).status).toBe(415);
  });

  it("of YAML is short", async () => {
    const answer = await app()
      .admin.post("/v1/jobs")
      .set(yaml)
      .send(`a: ${"x".repeat(limits.yamlBodyBytes)}`);
    expect(answer.body.code).toBe("REQUEST_TOO_LARGE");
  });

  it.each([
    ["/v1/datasets", '{"name":"a","__proto__":{"x":1}}', "/__proto__"],
    ["/v1/jobs", '{"model":{"\\u005f_proto__":{"x":1}}}', "/model/__proto__"],
    ["/v1/jobs", '{"a":[{"constructor":{"prototype":{"x":1}}}]}', "/a/0/constructor"],
  ])("for %s has no name that reaches a prototype: %s", async (url, body, pointer) => {
    expect((await app().admin.post(url).set(json).send(body)).body).toMatchObject({ code: "REQUEST_INVALID", pointer });
  });
});

/** The status of the answer to headers that declare a body of which nothing is sent. */
async function statusBeforeBody({ server }: TestApp, method: string, path: string): Promise<number> {
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The service listens on no port.");
  const socket = connect(address.port, "127.0.0.1");
  const head = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    "content-type: application/json",
    "content-length: 100",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  try {
    for await (const chunk of socket) return Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
    throw new Error("The service closed the connection without an answer.");
  } finally {
    socket.destroy();
  }
}
