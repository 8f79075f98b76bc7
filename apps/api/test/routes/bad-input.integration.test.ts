import { beforeAll, describe, expect, it } from "vitest";
import { describeEachDatabase, useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";

describeEachDatabase("bad input over REST", {}, (app) => {
  let dataset = "";
  beforeAll(async () => {
    dataset = await createDataset(app());
    await app()
      .admin.post(`/v1/datasets/${dataset}/files?preview=false`)
      .attach("file", Buffer.from("src,dst\n1,2\n"), "edges.csv");
  });

  const json = { "content-type": "application/json" };
  const yaml = { "content-type": "application/yaml" };
  const table = [
    { what: "broken JSON", url: "/v1/jobs", headers: json, body: "{", code: "REQUEST_INVALID" },
    {
      what: "broken YAML",
      url: "/v1/jobs",
      headers: yaml,
      body: "a: b\nc: [",
      code: "REQUEST_INVALID",
      place: { line: 2 },
    },
    {
      what: "another content type",
      url: "/v1/jobs",
      headers: { "content-type": "text/csv" },
      body: "a",
      code: "REQUEST_FORMAT",
    },
    {
      what: "a body of 2 MB",
      url: "/v1/jobs",
      headers: json,
      body: `"${"x".repeat(2 ** 21)}"`,
      code: "REQUEST_TOO_LARGE",
    },
    {
      what: "a name that is a number",
      url: "/v1/datasets",
      headers: json,
      body: '{"name":1}',
      code: "REQUEST_INVALID",
      place: { pointer: "/name" },
    },
    {
      what: "an empty name",
      url: "/v1/datasets",
      headers: json,
      body: '{"name":" "}',
      code: "REQUEST_INVALID",
      place: { pointer: "/name" },
    },
    {
      what: "an unknown field",
      url: "/v1/datasets",
      headers: json,
      body: '{"name":"a","nmae":"b"}',
      code: "REQUEST_INVALID",
    },
    {
      what: "an unknown project",
      url: "/v1/datasets",
      headers: json,
      body: '{"name":"a","project":"nope"}',
      code: "REQUEST_NOT_FOUND",
    },
    {
      what: "an unknown role",
      url: "/v1/api-keys",
      headers: json,
      body: '{"name":"a","role":"root"}',
      code: "REQUEST_INVALID",
      place: { pointer: "/role" },
    },
    { what: "a wrong sign-in token", url: "/v1/session", headers: json, body: '{"token":"x"}', code: "AUTH_INVALID" },
    { what: "a spec that is a text", url: "/v1/jobs", headers: json, body: '"x"', code: "JOB_SPEC_INVALID" },
    { what: "no body at all", url: "/v1/jobs", headers: json, body: "", code: "JOB_SPEC_INVALID" },
  ];

  it.each(table)("$what is $code", async ({ url, headers, body, code, place }) => {
    const answer = await app().admin.post(url).set(headers).send(body);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.body).toMatchObject({ code, instance: url, type: `https://hopwise.dev/errors/${code}`, ...place });
    expect(answer.body.detail.length).toBeGreaterThan(10);
    expect(answer.status).toBe(answer.body.status);
  });

  const joins = { source: "b", name: "r", target: "b", files: ["edges.csv"], src: "a", dst: "b" };
  const specs = [
    { what: "without edges", spec: {}, code: "SPEC_INVALID", pointer: "/edges" },
    {
      what: "with a file that was not uploaded",
      spec: { edges: { files: ["nope.csv"], src: "a", dst: "b" } },
      code: "DATASET_FILE_MISSING",
      pointer: "/edges/files/0",
    },
    {
      what: "with a file in an archive that was not uploaded",
      spec: { edges: { files: ["nope.zip/edges.csv"], src: "a", dst: "b" } },
      code: "DATASET_FILE_MISSING",
      pointer: "/edges/files/0",
    },
    {
      what: "with a file of labels that was not uploaded",
      spec: {
        edges: { files: ["edges.csv"], src: "a", dst: "b" },
        nodes: { files: ["edges.csv"], id: "a", labelFile: { files: ["nope.csv"], node: "a", label: "b" } },
      },
      code: "DATASET_FILE_MISSING",
      pointer: "/nodes/labelFile/files/0",
    },
    {
      what: "with a relation to an unknown type",
      spec: { nodeTypes: { b: { files: ["n.csv"], id: "id" } }, relations: [{ ...joins, target: "c" }] },
      code: "SPEC_INVALID",
      pointer: "/relations/0/target",
    },
    {
      what: "with a type whose file was not uploaded",
      spec: { nodeTypes: { b: { files: ["nope.csv"], id: "id" } }, relations: [joins] },
      code: "DATASET_FILE_MISSING",
      pointer: "/nodeTypes/b/files/0",
    },
    {
      what: "with an unknown field",
      spec: { edges: { files: ["edges.csv"], src: "a", dst: "b", sorce: 1 } },
      code: "SPEC_INVALID",
      pointer: "/edges/sorce",
    },
  ];

  it.each(specs)("a dataset spec $what is $code at $pointer", async ({ spec, code, pointer }) => {
    const answer = await app().admin.put(`/v1/datasets/${dataset}/spec`).send(spec);
    expect(answer.body).toMatchObject({ status: 422, code, pointer });
    expect(await app().services.prisma.job.count({ where: { datasetVersion: { datasetId: dataset } } })).toBe(0);
  });

  it("a dataset spec that fits queues the ingest, and a second one is refused meanwhile", async () => {
    const spec = { edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
    const answer = await app().admin.put(`/v1/datasets/${dataset}/spec`).send(spec);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ kind: "ingest", state: "QUEUED" });
    expect((await app().admin.put(`/v1/datasets/${dataset}/spec`).send(spec)).body.code).toBe("REQUEST_CONFLICT");
  });

  const unknown = [
    "/v1/nope",
    "/v1/datasets/ds_nope",
    "/v1/jobs/job_nope",
    "/v1/jobs/job_nope/series",
    "/v1/jobs/job_nope/events",
    "/v1/artifacts/art_nope",
  ];
  it.each(unknown)("GET %s is REQUEST_NOT_FOUND", async (url) => {
    expect((await app().admin.get(url)).body).toMatchObject({ status: 404, code: "REQUEST_NOT_FOUND" });
  });
});

describe("bad input over GraphQL", () => {
  const app = useApp();
  const deep = `{ jobs { edges { node { dataset { jobs { dataset { jobs { dataset { jobs { dataset { id } } } } } } } } } } }`;
  const wide = `{ ${Array.from({ length: 20 }, (_, i) => `a${i}: datasets(first: 200) { edges { node { versions { files { name } } } } }`).join(" ")} }`;
  const table = [
    { what: "an unknown field", query: "{ nope }", code: "REQUEST_INVALID", message: /Cannot query field "nope"/ },
    { what: "a syntax error", query: "{ me", code: "REQUEST_INVALID", message: /Syntax Error/ },
    { what: "a missing argument", query: "{ job { id } }", code: "REQUEST_INVALID", message: /argument "id"/ },
    { what: "a query too deep", query: deep, code: "REQUEST_TOO_COSTLY", message: /selections deep/ },
    { what: "a query too wide", query: wide, code: "REQUEST_TOO_COSTLY", message: /costs up to/ },
    {
      what: "an unknown dataset",
      query: 'mutation { deleteDataset(id: "nope") }',
      code: "REQUEST_NOT_FOUND",
      message: /nope/,
    },
    {
      what: "a spec that is a number",
      query: "mutation { submitJob(spec: 3) { id } }",
      code: "REQUEST_INVALID",
      message: /JobSpecInput/,
    },
  ];

  it.each(table)("$what is $code", async ({ query, code, message }) => {
    const answer = await app().admin.post("/graphql").send({ query });
    expect(answer.body.errors[0].extensions).toMatchObject({ code });
    expect(answer.body.errors[0].message).toMatch(message);
  });

  it("no key is AUTH_REQUIRED, a wrong one AUTH_INVALID", async () => {
    const query = "{ me { role } }";
    const none = await app().anonymous.post("/graphql").send({ query });
    expect(none.body.errors[0].extensions.code).toBe("AUTH_REQUIRED");
    const wrong = await app().anonymous.post("/graphql").set("authorization", "Bearer hw_wrong").send({ query });
    expect(wrong.body.errors[0].extensions.code).toBe("AUTH_INVALID");
  });

  it("a fault of ours is masked as INTERNAL, with nothing of its message", async () => {
    const { prisma } = app().services;
    const dataset = await createDataset(app());
    await prisma.datasetVersion.deleteMany({ where: { datasetId: dataset } });
    const query = "query($id: ID!) { dataset(id: $id) { latest { id } } }";
    const answer = await app()
      .admin.post("/graphql")
      .send({ query, variables: { id: dataset } });
    expect(answer.body.errors[0].extensions.code).toBe("INTERNAL");
    expect(JSON.stringify(answer.body)).not.toContain("has no version");
  });
});

describe("pages", () => {
  const app = useApp();

  it("describe the API without asking another host", async () => {
    const { anonymous } = app();
    const { body } = await anonymous.get("/openapi.json");
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(["/v1/datasets/{id}/files", "/v1/jobs", "/v1/jobs/{id}/embeddings", "/v1/artifacts/{id}"]),
    );
    expect(body.paths["/v1/jobs/{id}/series"].get.parameters.length).toBe(3);
    for (const page of ["/docs", "/graphql-page"]) {
      const { text, status } = await anonymous.get(page).redirects(1);
      expect(status).toBe(200);
      expect(text).not.toMatch(/(src|href)="https?:/);
    }
  });

  it("publish JSON Schemas whose component options come from the catalogue", async () => {
    const { body } = await app().admin.get("/v1/schemas/job-spec.json");
    expect(body.required).toEqual(expect.arrayContaining(["version", "kind", "dataset", "task"]));
    expect(body.properties.model.properties.type.enum).toEqual(expect.arrayContaining(["mlp", "sage"]));
    const sage = body.properties.model.allOf.find(
      (rule: { if: { properties: { type: { const: string } } } }) => rule.if.properties.type.const === "sage",
    );
    expect(sage.then.properties.options.properties.hiddenFeats).toMatchObject({ type: "integer", default: 256 });
    const catalog = await app().admin.get("/v1/catalog");
    expect(catalog.body.presets.length).toBeGreaterThan(0);
  });
});
