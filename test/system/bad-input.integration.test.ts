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

/** Files that can be uploaded and no graph can be made of. */
const damaged = [
  { what: "a wrong header", files: { "edges.csv": edges.replace("src,dst", "from,to"), "nodes.csv": nodes } },
  { what: "a ragged row", files: { "edges.csv": `${edges}a\n`, "nodes.csv": nodes } },
  { what: "a feature that is no number", files: { "edges.csv": edges, "nodes.csv": nodes.replace("3,4", "3,four") } },
  { what: "binary junk", files: { "edges.csv": "\u0000\u0001\u00ff\u0000\n\u0007", "nodes.csv": nodes } },
];

describe("bad input to the whole service", () => {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = await Stack.start();
    client = stack.client;
  });
  afterAll(() => stack?.stop());

  const artifactsDir = () => join(stack.dir, "artifacts");

  /** Every file in the store by the folder of its artifact; what has no manifest is half-written. */
  function halfWritten(): string[] {
    const found = readdirSync(artifactsDir(), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    const files = found.map((entry) => join(entry.parentPath, entry.name).slice(artifactsDir().length + 1));
    const whole = files
      .filter((file) => file.endsWith("/manifest.json"))
      .map((file) => file.slice(0, -"manifest.json".length));
    return files.filter((file) => !whole.some((prefix) => file.startsWith(prefix)));
  }

  async function upload(datasetId: string, files: Record<string, string>): Promise<Response> {
    const form = new FormData();
    for (const [name, content] of Object.entries(files)) form.append("file", new Blob([content]), name);
    return fetch(`${client.url}/v1/datasets/${datasetId}/files`, {
      method: "POST",
      headers: client.headers,
      body: form,
    });
  }

  async function create(): Promise<{ id: string; latest: { id: string } }> {
    const query = 'mutation { createDataset(name: "bad") { id latest { id } } }';
    return (await client.graphql<{ createDataset: { id: string; latest: { id: string } } }>(query)).createDataset;
  }

  it.each(damaged)("$what fails the ingest with its place and leaves no half-written artifact", async ({ files }) => {
    const { id, latest } = await create();
    expect((await upload(id, files)).status).toBe(201);
    const ingest =
      "mutation($version: ID!, $spec: DatasetSpecInput!) { ingestDataset(version: $version, spec: $spec) { id } }";
    const { ingestDataset } = await client.graphql<{ ingestDataset: { id: string } }>(ingest, {
      version: latest.id,
      spec,
    });
    const job = await client.finished(ingestDataset.id);
    expect(job.state).toBe("FAILED");
    expect(job.problem?.code).toMatch(/^(DATASET|SPEC)_/);
    expect(job.attempt, "the same files fail in the same way: it is not tried again").toBe(1);
    expect(job.artifacts).toEqual([]);

    const query =
      "query($id: ID!) { dataset(id: $id) { latest { state problem { code file detail } graph { numNodes } } } }";
    const { dataset } = await client.graphql<{ dataset: { latest: Record<string, unknown> } }>(query, { id });
    expect(dataset.latest).toMatchObject({ state: "FAILED", problem: { code: job.problem?.code }, graph: null });
    await until("the preview's end", async () => halfWritten().length === 0);
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
    await expect(client.graphql(query)).rejects.toThrow(/REQUEST_INVALID/);
    const { datasets } = await client.graphql<{ datasets: { edges: { node: { name: string } }[] } }>(
      "{ datasets(first: 100) { edges { node { name } } } }",
    );
    expect(datasets.edges.map(({ node }) => node.name)).not.toContain("never made");
  });

  it("a missing or wrong key reaches no dataset", async () => {
    const { id } = await create();
    const tries: Record<string, string>[] = [{}, { authorization: "Bearer hw_wrong" }];
    const statuses: number[] = [];
    for (const headers of tries) {
      const form = new FormData();
      form.append("file", new Blob([edges]), "edges.csv");
      const answer = await fetch(`${client.url}/v1/datasets/${id}/files`, { method: "POST", headers, body: form });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401]);
    await expectUntouched(id);
  });

  /** Nothing of a refused request: no source, no preview, the version as open as before, no stray blob or folder. */
  async function expectUntouched(id: string): Promise<void> {
    const query = "query($id: ID!) { dataset(id: $id) { latest { state files { name } problem { code } } } }";
    const { dataset } = await client.graphql<{ dataset: { latest: unknown } }>(query, { id });
    expect(dataset.latest).toEqual({ state: "UPLOADING", files: [], problem: null });
    expect(halfWritten()).toEqual([]);
    expect(filesBelow(id)).toEqual([]);
    expect(readdirSync(join(artifactsDir(), ".tmp"))).toEqual([]);
  }

  function filesBelow(datasetId: string): string[] {
    const folder = join(artifactsDir(), "projects/default/datasets", datasetId);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((e) => (e.isFile() ? [e.name] : []));
  }
});
