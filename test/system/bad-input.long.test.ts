import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/client.ts";
import { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";

const edges = "src,dst\na,b\nb,c\nc,a\n";
const nodes = "id,label,split,f0,f1\na,x,train,1,2\nb,y,val,3,4\nc,x,test,5,6\n";
const spec = {
  edges: { files: ["edges.csv"], src: "src", dst: "dst" },
  nodes: {
    files: ["nodes.csv"],
    id: "id",
    label: "label",
    split: "split",
    features: { columns: ["f0", "f1"] },
  },
};

/** Files that can be uploaded and no graph can be made of, and where the answer says the fault lies. */
const damaged = [
  {
    what: "a wrong header",
    files: { "edges.csv": edges.replace("src,dst", "from,to"), "nodes.csv": nodes },
    problem: { code: "DATASET_COLUMN_MISSING", file: "edges.csv", line: 1, field: "src" },
  },
  {
    what: "a ragged row",
    files: { "edges.csv": `${edges}a\n`, "nodes.csv": nodes },
    problem: { code: "DATASET_ROW_INVALID", file: "edges.csv", line: 5 },
  },
  {
    what: "a feature that is no number",
    files: { "edges.csv": edges, "nodes.csv": nodes.replace("3,4", "3,four") },
    problem: { code: "DATASET_VALUE_INVALID", file: "nodes.csv", line: 3, field: "f1" },
  },
  {
    what: "an edge to a node that the labels do not know",
    files: { "edges.csv": `${edges}b,stranger\n`, "nodes.csv": nodes },
    problem: { code: "DATASET_NODE_UNKNOWN", file: "edges.csv", line: 5, field: "dst" },
  },
  {
    what: "a node that the labels leave out",
    files: { "edges.csv": edges, "nodes.csv": nodes.replace("c,x,test,5,6\n", "") },
    problem: { code: "DATASET_NODE_UNKNOWN", file: "edges.csv", line: 3, field: "dst" },
  },
  {
    what: "a node that the labels name twice",
    files: { "edges.csv": edges, "nodes.csv": `${nodes}a,y,val,7,8\n` },
    problem: { code: "DATASET_DUPLICATE", file: "nodes.csv", line: 5, field: "id" },
  },
  {
    what: "binary junk",
    files: { "edges.csv": "\u0000\u0001\u00ff\u0000\n\u0007", "nodes.csv": nodes },
    problem: { code: "DATASET_FORMAT_INVALID", file: "edges.csv" },
  },
];

describe("bad input to the whole service", () => {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = await Stack.startOnServer();
    client = stack.client;
  });
  afterAll(() => stack?.stop());

  const artifactsDir = () => join(stack.dir, "artifacts");

  /** Every file in the store by the folder of its artifact; what has no manifest is half-written. */
  function halfWritten(): string[] {
    const found = readdirSync(artifactsDir(), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    // The lock of a writer who lives is no file of anything.
    const files = found
      .filter(({ name, parentPath }) => name !== "lock" || !parentPath.includes("/.tmp/held-"))
      .map((entry) => join(entry.parentPath, entry.name).slice(artifactsDir().length + 1));
    const whole = files
      .filter((file) => file.endsWith("/manifest.json"))
      .map((file) => file.slice(0, -"manifest.json".length));
    return files.filter((file) => !whole.some((prefix) => file.startsWith(prefix)));
  }

  async function upload(
    datasetId: string,
    files: Record<string, string>,
    headers: Record<string, string> = client.headers,
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, content] of Object.entries(files)) form.append("file", new Blob([content]), name);
    return fetch(`${client.url}/v1/datasets/${datasetId}/files`, { method: "POST", headers, body: form });
  }

  async function create(): Promise<{ id: string; latest: { id: string } }> {
    const query = 'mutation { createDataset(name: "bad") { id latest { id } } }';
    return (await client.graphql<{ createDataset: { id: string; latest: { id: string } } }>(query)).createDataset;
  }

  /** Runs the ingest of what was uploaded to its end. */
  async function ingest(version: string) {
    const { ingestDataset } = await client.graphql<{ ingestDataset: { id: string } }>(
      "mutation($version: ID!, $spec: DatasetSpecInput!) { ingestDataset(version: $version, spec: $spec) { id } }",
      { version, spec },
    );
    return client.finished(ingestDataset.id);
  }

  async function latestOf(id: string): Promise<Record<string, unknown>> {
    const query = `query($id: ID!) { dataset(id: $id) { latest {
      state problem { code file line field detail } graph { numNodes } report { isolatedNodes }
    } } }`;
    return (await client.graphql<{ dataset: { latest: Record<string, unknown> } }>(query, { id })).dataset.latest;
  }

  it.each(damaged)(
    "$what fails the ingest with its place and leaves no half-written artifact",
    async ({ files, problem }) => {
      const { id, latest } = await create();
      expect((await upload(id, files)).status).toBe(201);
      const job = await ingest(latest.id);
      expect(job.state).toBe("FAILED");
      expect(job.attempt, "the same files fail in the same way: it is not tried again").toBe(1);
      expect(job.artifacts).toEqual([]);
      expect(await latestOf(id)).toMatchObject({ state: "FAILED", problem, graph: null });
      await until("the preview's end", async () => halfWritten().length === 0);
    },
  );

  it("a labelled node that no edge has is no fault: it is an isolated node, and is counted", async () => {
    const { id, latest } = await create();
    await upload(id, { "edges.csv": edges, "nodes.csv": `${nodes}lonely,y,none,7,8\n` });
    expect((await ingest(latest.id)).state).toBe("SUCCEEDED");
    expect(await latestOf(id)).toMatchObject({ graph: { numNodes: 4 }, report: { isolatedNodes: 1 } });
  });

  const refused = [
    { what: "an empty file", files: { "edges.csv": edges, "empty.csv": "" }, status: 422, code: "DATASET_FILE_EMPTY" },
    {
      what: "a path in a file name",
      files: { "edges.csv": edges, "../up.csv": edges },
      status: 422,
      code: "DATASET_FILE_NAME",
    },
  ];
  it.each(refused)("$what is refused with the whole request: no blob, no row", async ({ files, status, code }) => {
    const { id } = await create();
    const answer = await upload(id, files);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
    await expectUntouched(id);
  });

  it("a declared size of 10 GB is refused before a byte is stored", async () => {
    const { id } = await create();
    const headers = {
      ...client.headers,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": "10737418240",
    };
    const body = await new Promise<string>((resolve, reject) => {
      const req = request(`${client.url}/v1/datasets/${id}/files`, { method: "POST", headers }, (answer) => {
        text(answer).then(resolve, reject);
      });
      req.on("error", reject);
      req.flushHeaders();
    });
    expect(JSON.parse(body)).toMatchObject({ status: 413, code: "REQUEST_TOO_LARGE" });
    await expectUntouched(id);
  });

  it("an unknown GraphQL field is refused before anything is made", async () => {
    const query = 'mutation { createDataset(name: "never made") { id nope } }';
    await expect(client.graphql(query)).rejects.toMatchObject({ code: "REQUEST_INVALID" });
    const { datasets } = await client.graphql<{ datasets: { edges: { node: { name: string } }[] } }>(
      "{ datasets(first: 100) { edges { node { name } } } }",
    );
    expect(datasets.edges.map(({ node }) => node.name)).not.toContain("never made");
  });

  const foreignKeys = [
    { what: "no key", headersOf: async () => ({}), status: 401, code: "AUTH_REQUIRED" },
    {
      what: "a key that nobody issued",
      headersOf: async () => ({ authorization: "Bearer hw_wrong" }),
      status: 401,
      code: "AUTH_INVALID",
    },
    { what: "a viewer's key", headersOf: () => keyOf({ role: "VIEWER" }), status: 403, code: "AUTH_FORBIDDEN" },
    {
      what: "the key of another project's admin",
      headersOf: async () => keyOf({ role: "ADMIN", project: await client.makeProject("other") }),
      status: 404,
      code: "REQUEST_NOT_FOUND",
    },
  ];
  it.each(foreignKeys)("an upload with $what is refused: nothing is written", async ({ headersOf, status, code }) => {
    const { id } = await create();
    const answer = await upload(id, { "edges.csv": edges }, await headersOf());
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(await answer.json()).toMatchObject({ status, code, instance: `/v1/datasets/${id}/files` });
    await expectUntouched(id);
  });

  async function keyOf(input: { role: string; project?: string }): Promise<Record<string, string>> {
    const { createApiKey } = await client.graphql<{ createApiKey: { secret: string } }>(
      "mutation($input: ApiKeyInput!) { createApiKey(input: $input) { secret } }",
      { input: { name: "foreign", ...input } },
    );
    return { authorization: `Bearer ${createApiKey.secret}` };
  }

  /** Nothing of a refused request: no source, no preview, the version as open as before, no stray blob or folder. */
  async function expectUntouched(id: string): Promise<void> {
    const query = "query($id: ID!) { dataset(id: $id) { latest { state files { name } problem { code } } } }";
    const { dataset } = await client.graphql<{ dataset: { latest: unknown } }>(query, { id });
    expect(dataset.latest).toEqual({ state: "UPLOADING", files: [], problem: null });
    expect(halfWritten()).toEqual([]);
    expect(filesBelow(id)).toEqual([]);
  }

  function filesBelow(datasetId: string): string[] {
    const folder = join(artifactsDir(), "projects/default/datasets", datasetId);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((e) => (e.isFile() ? [e.name] : []));
  }
});
