import { type Client, createClient } from "graphql-ws";
import { beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { describeEachDatabase } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { ownOrigin } from "../support/session.ts";

const nul = "\u0000";
const half = "\ud800";

describeEachDatabase("a text that no database takes", {}, (app) => {
  let dataset = "";
  beforeAll(async () => {
    dataset = await createDataset(app());
  });

  it.each([
    ["/v1/jobs/%00/logs", "id"],
    ["/v1/jobs/a%00b", "id"],
    ["/v1/datasets/%00", "id"],
    ["/v1/artifacts/%00", "id"],
    ["/v1/jobs?search=a%00b", "search"],
    ["/v1/jobs?after=%00", "after"],
    ["/v1/jobs?kind=%00", "kind"],
    ["/v1/jobs?dataset=%00", "dataset"],
    ["/v1/jobs?project=%00", "project"],
    ["/v1/datasets?project=%00", "project"],
    ["/v1/datasets?after=%00", "after"],
    ["/v1/jobs/x/series?names=%00", "names"],
    ["/v1/artifacts/x?blob=%00", "blob"],
  ])("is refused in the address %s", async (url, field) => {
    expect((await app().admin.get(url)).body).toMatchObject({ status: 400, code: "REQUEST_INVALID", field });
  });

  it.each([
    ["post", "/v1/datasets", { name: `a${nul}b` }, "/name"],
    ["post", "/v1/datasets", { name: half }, "/name"],
    ["post", "/v1/datasets", { name: "a", project: nul }, "/project"],
    ["post", "/v1/api-keys", { name: nul, role: "viewer" }, "/name"],
    ["post", "/v1/projects", { name: nul }, "/name"],
    ["post", "/v1/session", { token: nul }, "/token"],
    ["post", "/v1/jobs", { version: 1, kind: "train", dataset: nul }, "/dataset"],
    ["post", "/v1/jobs", { version: 1, kind: "train", name: half }, "/name"],
    ["post", "/v1/jobs/estimate", { [`a/${nul}`]: 1 }, "/a~1\\u0000"],
    ["put", "/v1/datasets/x/spec", { edges: { files: [nul], src: "a", dst: "b" } }, "/edges/files/0"],
  ] as const)("is refused in a body: %s %s %j", async (method, url, body, pointer) => {
    const answer = await app().admin[method](url).send(body);
    expect(answer.body).toMatchObject({ status: 400, code: "REQUEST_INVALID", pointer });
  });

  it("is refused in GraphQL's variables and in its document, of a query and of a mutation", async () => {
    const { admin } = app();
    const asked = (body: object) => admin.post("/graphql").send(body);
    const query = "query($id: ID!) { dataset(id: $id) { id } }";
    const { errors } = (await asked({ query, variables: { id: nul } })).body;
    expect(errors[0].extensions).toMatchObject({ status: 400, pointer: "/variables/id" });
    for (const document of [
      `{ dataset(id: "a\\u0000b") { id } }`,
      `{ dataset(id: "\\u{0}") { id } }`,
      `{ jobs(filter: { search: "\\u0000" }) { totalCount } }`,
      `mutation { createDataset(name: "\\u0000") { id } }`,
      `mutation { submitJob(spec: { dataset: "\\u0000" }) { id } }`,
      `query { dataset(id: "${dataset}") { ...F } } fragment F on Dataset { jobs(after: "\\u0000") { totalCount } }`,
    ]) {
      const answer = await asked({ query: document });
      expect({ document, error: answer.body.errors[0].extensions }).toMatchObject({
        error: { code: "REQUEST_INVALID" },
      });
    }
    const address = `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent('{"id":"\\u0000"}')}`;
    expect((await admin.get(address)).body.errors[0].extensions.code).toBe("REQUEST_INVALID");
  });

  it("is refused on a socket, in a query and in a subscription", async () => {
    const client = createClient({
      url: `${ownOrigin(app()).replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${app().adminKey}` },
      retryAttempts: 0,
    });
    try {
      const query = "query($id: ID!) { dataset(id: $id) { id } }";
      const subscription = "subscription($id: ID!) { jobEvents(jobId: $id) { cursor } }";
      for (const request of [
        { query, variables: { id: nul } },
        { query: '{ dataset(id: "\\u0000") { id } }' },
        { query: subscription, variables: { id: `a${nul}` } },
        { query: 'subscription { jobEvents(jobId: "\\u0000") { cursor } }' },
        { query: "{ me { role } }" },
      ]) {
        const found = request.query.includes("me {") ? "no error" : expect.stringContaining("U+0000");
        expect({ request, found: await firstError(client, request) }).toEqual({ request, found });
      }
    } finally {
      await client.dispose();
    }
  });

  it("is refused where an address cannot be decoded, or a number is none that there may be", async () => {
    for (const url of ["/v1/jobs/%zz", "/v1/jobs/%", "/v1/jobs/%c3%28/logs"]) {
      const answer = await app().admin.get(url);
      expect(answer.headers["content-type"]).toContain("application/problem+json");
      expect(answer.body).toMatchObject({ status: 400, code: "REQUEST_INVALID", instance: url });
    }
    const job = await app().services.prisma.job.findFirst();
    const answer = await app().admin.get(`/v1/jobs/${job?.id ?? "x"}/logs?rank=99999999999`);
    expect(answer.body).toMatchObject({ status: 400, code: "REQUEST_INVALID", field: "rank" });
  });

  it.each([
    ["no boundary", "multipart/form-data", "x"],
    ["an empty boundary", "multipart/form-data; boundary=", "x"],
    ["another boundary than its header says", "multipart/form-data; boundary=a", "--b\r\n\r\n--b--\r\n"],
    [
      "an end too early",
      "multipart/form-data; boundary=a",
      '--a\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\nabc',
    ],
    ["a part without a head", "multipart/form-data; boundary=a", "--a\r\nnonsense\r\n\r\nabc\r\n--a--\r\n"],
    ["a boundary longer than it may be", `multipart/form-data; boundary=${"a".repeat(500)}`, "x"],
  ])("multipart with %s is REQUEST_INVALID", async (_what, type, body) => {
    const answer = await app().admin.post(`/v1/datasets/${dataset}/files`).set("content-type", type).send(body);
    expect(answer.body).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
    expect(answer.body.detail).toMatch(/multipart/);
  });

  it("an upload of another content type is REQUEST_FORMAT", async () => {
    const answer = await app().admin.post(`/v1/datasets/${dataset}/files`).send({ a: 1 });
    expect(answer.body).toMatchObject({ status: 415, code: "REQUEST_FORMAT" });
  });
});

/** What an operation is refused with, at once or with its first answer. */
async function firstError(client: Client, request: { query: string; variables?: Record<string, unknown> }) {
  try {
    for await (const { errors } of client.iterate(request)) return errors?.[0]?.message ?? "no error";
    return "no answer";
  } catch (refused) {
    return ([refused].flat() as { message?: string }[])[0]?.message ?? "no message";
  }
}
