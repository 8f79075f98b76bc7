import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset, keyFor } from "../support/fixtures.ts";
import { SourceServer } from "./support/source-server.ts";

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1", HOPWISE_UPLOAD_BYTES: "100000" });
let source: SourceServer;
let dataset: string;

const edges = Buffer.from("src,dst\na,b\nb,c\n");
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

beforeAll(async () => {
  source = await SourceServer.start();
});
afterAll(() => source.close());
beforeEach(async () => {
  source.files.clear();
  source.handlers.clear();
  source.requests.length = 0;
  dataset = await createDataset(app());
});

async function start(body: object, into = dataset) {
  const answer = await app().admin.post(`/v1/datasets/${into}/imports`).send(body);
  expect(answer.body).toMatchObject({ state: expect.stringMatching(/WAITING|RUNNING/) });
  expect(answer.status).toBe(202);
  return answer.body.id as string;
}

/** Holds answers back until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const read = async (id: string) => (await app().admin.get(`/v1/imports/${id}`)).body;

function ended(id: string) {
  return until(`the import ${id}`, async () => {
    const found = await read(id);
    return ["SUCCEEDED", "FAILED", "CANCELLED"].includes(found.state) ? found : null;
  });
}

async function partsLeft(id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of app().services.store.list(`projects/default/imports/${id}`)) keys.push(key);
  return keys;
}

describe("an import", () => {
  it("makes what lies at addresses the files of a version, keeps where they are from, and has them looked at", async () => {
    source.files.set("/data/edges.csv", { bytes: edges, etag: '"1"' });
    source.files.set("/data/nodes", { bytes: Buffer.from("id,y\na,1\n"), isPlain: true });
    const id = await start({
      files: [
        { url: source.url("/data/edges.csv?token=s3cret&x=1"), sha256: digest(edges).toUpperCase() },
        { url: source.url("/data/nodes"), name: "nodes.csv" },
      ],
    });
    const done = await ended(id);
    const shown = source.url("/data/edges.csv?token=…&x=…");
    expect(done).toMatchObject({
      state: "SUCCEEDED",
      bytesDone: 25,
      bytesTotal: 25,
      problem: null,
      files: [
        { name: "edges.csv", source: shown, sha256: digest(edges), bytesDone: 16, bytesTotal: 16 },
        { name: "nodes.csv", source: source.url("/data/nodes"), bytesTotal: 9 },
      ],
    });
    const { body } = await app().admin.get(`/v1/datasets/${dataset}`);
    const { id: version, state, sources } = body.versions[0];
    expect([state, done.version]).toEqual(["MAPPING", version]);
    const byName = Object.fromEntries(sources.map((file: { name: string }) => [file.name, file]));
    expect(byName["edges.csv"]).toMatchObject({ sha256: digest(edges), source: shown, importId: id });
    expect((await app().admin.get(`/v1/jobs/${done.jobId}`)).body.kind).toBe("map");
    await until("the parts to go", async () => (await partsLeft(id)).length === 0);
    expect(JSON.stringify([done, body])).not.toContain("s3cret");
  });

  it("fetches a database that is a file once, keeps queries on it as texts beside it, and does so again", async () => {
    const database = readFileSync(new URL("../../../../test/fixtures/sqlite/plain.sqlite", import.meta.url));
    source.files.set("/plain.sqlite", { bytes: database, etag: '"1"' });
    const url = source.url("/plain.sqlite");
    const [query, other] = ["SELECT src, dst FROM edges", "FROM nodes"];
    const files = [
      { url, query, name: "heavy" },
      { url, query: other, name: "nodes.sql" },
    ];
    const done = await ended(await start({ files }));
    const stored = [
      { name: "plain.sqlite", query: null, rowsDone: null, sha256: digest(database) },
      { name: "plain.heavy.sql", query, rowsDone: null, sha256: digest(Buffer.from(query)) },
      { name: "plain.nodes.sql", query: other, rowsDone: null, sha256: digest(Buffer.from(other)) },
    ];
    expect(done).toMatchObject({ state: "SUCCEEDED", problem: null, files: stored });
    const repeated = await app().admin.post(`/v1/imports/${done.id}/again`).send();
    expect(await ended(repeated.body.id)).toMatchObject({ state: "SUCCEEDED", files: stored });
    expect(source.requests.filter(({ path }) => path === "/plain.sqlite")).toHaveLength(2);
  });

  it("asks no query of an address that means several files, and expects no checksum of a query", async () => {
    const url = source.url("/plain.sqlite");
    const answer = await app()
      .admin.post(`/v1/datasets/${dataset}/imports`)
      .send({ files: [{ url, query: "FROM nodes", sha256: "0".repeat(64) }] });
    expect([answer.status, answer.body.code, answer.body.pointer]).toEqual([400, "REQUEST_INVALID", "/files/0/sha256"]);
  });

  it("is told alike by REST and GraphQL, which may start and repeat it, too", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const fields = `id datasetId state bytesDone bytesTotal etaSeconds waitReason published version jobId createdBy createdAt startedAt finishedAt
      problem { code } files { name source query rowsDone credential expectedSha256 bytesDone bytesTotal sha256 }`;
    const graphql = async (query: string) => {
      const { body } = await app().admin.post("/graphql").send({ query });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const input = `{ files: [{ url: "${source.url("/edges.csv")}", sha256: null }] }`;
    const { startImport } = await graphql(`mutation { startImport(dataset: "${dataset}", input: ${input}) { id } }`);
    const answered = await ended(startImport.id);
    // What is said of rows that are added, REST alone has.
    const done = structuredClone(answered);
    for (const one of [done, ...done.files]) for (const name of ["adds", "storedAs"]) delete one[name];
    const { imports, import: one } = await graphql(
      `{ imports(dataset: "${dataset}") { ${fields} } import(id: "${done.id}") { ${fields} } }`,
    );
    expect(imports).toEqual([done]);
    expect(one).toEqual(done);
    expect((await app().admin.get(`/v1/datasets/${dataset}/imports`)).body.items).toEqual([answered]);
    const { repeatImport } = await graphql(`mutation { repeatImport(id: "${done.id}") { id } }`);
    // The version is open still: the file takes the place of the one before.
    expect(await ended(repeatImport.id)).toMatchObject({ state: "SUCCEEDED", version: done.version });
  });

  it("goes into a new version when it is repeated, which is read as the last was", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const spec = { version: 1, edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
    const file = { url: source.url("/edges.csv"), sha256: digest(edges) };
    const first = await ended(await start({ files: [file], spec }));
    expect((await app().admin.get(`/v1/jobs/${first.jobId}`)).body.kind).toBe("ingest");
    const { prisma } = app().services;
    await prisma.datasetVersion.update({ where: { id: first.version }, data: { state: "READY" } });
    const newer = Buffer.from("src,dst\na,c\n");
    source.files.set("/edges.csv", { bytes: newer });
    const { body, status } = await app().admin.post(`/v1/imports/${first.id}/again`);
    expect(status).toBe(202);
    const second = await ended(body.id);
    expect(second).toMatchObject({ state: "SUCCEEDED", files: [{ expectedSha256: null, sha256: digest(newer) }] });
    expect(second.version).not.toBe(first.version);
    expect((await app().admin.get(`/v1/jobs/${second.jobId}`)).body.kind).toBe("ingest");
    const { versions } = (await app().admin.get(`/v1/datasets/${dataset}`)).body;
    expect(versions.map(({ number, state }: { number: number; state: string }) => [number, state])).toEqual([
      [2, "INGESTING"],
      [1, "READY"],
    ]);
  });

  it("fetches a published data set by its name, from the operator's mirror, and has its graph built", async () => {
    const { imports } = app().services;
    Object.assign(imports, { mirror: source.url("/mirror") });
    try {
      const { body } = await app().admin.get("/v1/published-datasets");
      const gowalla = body.items.find(({ name }: { name: string }) => name === "gowalla");
      const path = "/mirror/snap.stanford.edu/data/loc-gowalla_edges.txt.gz";
      expect(gowalla.files).toEqual([{ url: source.url(path), name: "loc-gowalla_edges.txt.gz", gitBlob: null }]);
      const query = "{ publishedDatasets { name title summary numNodes numEdges licence approximateBytes spec } }";
      const { data } = (await app().admin.post("/graphql").send({ query })).body;
      expect(body.items).toMatchObject(data.publishedDatasets);
      source.files.set(path, { bytes: gzipSync("0\t1\n1\t2\n") });
      const done = await ended(await start({ published: "Gowalla" }));
      expect(done).toMatchObject({ state: "SUCCEEDED", published: "gowalla" });
      expect((await app().admin.get(`/v1/jobs/${done.jobId}`)).body).toMatchObject({ kind: "ingest" });
    } finally {
      Object.assign(imports, { mirror: null });
    }
    const send = (sent: object) => app().admin.post(`/v1/datasets/${dataset}/imports`).send(sent);
    const unknown = await send({ published: "karate" });
    expect([unknown.status, unknown.body.pointer]).toEqual([400, "/published"]);
    expect(unknown.body.detail).toMatch(/there are cora, citeseer/);
    for (const neither of [{}, { published: "cora", files: [{ url: "https://example.com/a.csv" }] }])
      expect((await send(neither)).body).toMatchObject({ code: "REQUEST_INVALID", pointer: "/files" });
  });

  it("refuses a file that is not what the repository of a published data set records, and keeps nothing", async () => {
    const { imports } = app().services;
    Object.assign(imports, { mirror: source.url("/mirror") });
    try {
      const path = "/mirror/raw.githubusercontent.com/villmow/datasets_knowledge_embedding/master/FB15k-237";
      for (const part of ["train", "valid", "test"])
        source.files.set(`${path}/${part}.txt`, { bytes: Buffer.from("a\tr\tb\n") });
      const id = await start({ published: "fb15k-237" });
      const { state, problem, version } = await ended(id);
      expect([state, version]).toEqual(["FAILED", null]);
      expect(problem).toMatchObject({ code: "IMPORT_CHECKSUM", file: "train.txt" });
      expect(problem.detail).toContain("bf5b69e4e34bdc72d1a15e102fd7bc66c5683c39");
      expect(await app().services.prisma.sourceFile.count({ where: { importId: id } })).toBe(0);
    } finally {
      Object.assign(imports, { mirror: null });
    }
  });

  it("waits for the end of a build, and then begins the next version", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const { prisma } = app().services;
    await prisma.datasetVersion.updateMany({ where: { datasetId: dataset }, data: { state: "INGESTING" } });
    const id = await start({ files: [{ url: source.url("/edges.csv") }] });
    await until("the import to wait", async () => /is being built/.test((await read(id)).waitReason ?? ""));
    await prisma.datasetVersion.updateMany({ where: { datasetId: dataset }, data: { state: "READY" } });
    const { version } = await ended(id);
    expect((await prisma.datasetVersion.findUniqueOrThrow({ where: { id: version } })).number).toBe(2);
  });

  it.each([
    ["the checksum is another", { sha256: "0".repeat(64) }, "IMPORT_CHECKSUM"],
    ["the source has none", { path: "/other.csv" }, "IMPORT_NOT_FOUND"],
    ["it is too large", { bytes: Buffer.alloc(100_001) }, "REQUEST_TOO_LARGE"],
    ["it is empty", { bytes: Buffer.alloc(0) }, "DATASET_FILE_EMPTY"],
  ])(
    "adds nothing at all when one file fails: %s",
    async (_why, { sha256, path = "/b.csv", bytes = edges }: Failing, code) => {
      source.files.set("/a.csv", { bytes: edges });
      source.files.set("/b.csv", { bytes });
      const files = [{ url: source.url("/a.csv") }, { url: source.url(path), ...(sha256 && { sha256 }) }];
      const id = await start({ files });
      expect(await ended(id)).toMatchObject({ state: "FAILED", version: null, problem: { code } });
      const { versions } = (await app().admin.get(`/v1/datasets/${dataset}`)).body;
      expect(versions[0].sources).toEqual([]);
      await until("the parts to go", async () => (await partsLeft(id)).length === 0);
    },
  );

  interface Failing {
    readonly sha256?: string;
    readonly path?: string;
    readonly bytes?: Uint8Array;
  }

  it("can be cancelled, and repeated after that", async () => {
    const held = gate();
    source.files.set("/a.csv", { bytes: edges, gate: () => held.opened });
    const id = await start({ files: [{ url: source.url("/a.csv") }] });
    await until("the request", () => source.requests.length > 0);
    const { body } = await app().admin.post(`/v1/imports/${id}/cancel`);
    expect(body.state).toBe("CANCELLED");
    held.open();
    expect((await app().admin.post(`/v1/imports/${id}/cancel`)).body.code).toBe("REQUEST_CONFLICT");
    const again = await app().admin.post(`/v1/imports/${id}/again`);
    expect(await ended(again.body.id)).toMatchObject({ state: "SUCCEEDED" });
    expect((await read(id)).state).toBe("CANCELLED");
  });

  it("ends with its dataset", async () => {
    const held = gate();
    source.files.set("/a.csv", { bytes: edges, gate: () => held.opened });
    const id = await start({ files: [{ url: source.url("/a.csv") }] });
    await until("the request", () => source.requests.length > 0);
    expect((await app().admin.delete(`/v1/datasets/${dataset}`)).status).toBe(204);
    held.open();
    const { prisma } = app().services;
    await until("the import to be cleared", async () => (await prisma.import.findUnique({ where: { id } }))?.isCleared);
    expect((await prisma.import.findUniqueOrThrow({ where: { id } })).state).toBe("CANCELLED");
  });
});

describe("what is asked of an import", () => {
  it.each([
    ["https://10.0.0.1/a.csv", "IMPORT_ADDRESS", /HOPWISE_IMPORT_NETWORKS/],
    ["https://[::1]/a.csv", "IMPORT_ADDRESS", /private/],
    ["https://0x7f000002/a.csv", "IMPORT_ADDRESS", /private/],
    ["http://8.8.8.8/a.csv", "IMPORT_ADDRESS", /expected https/],
    ["https://me:pass@example.com/a.csv", "IMPORT_ADDRESS", /credential/],
    ["a.csv", "IMPORT_ADDRESS", /no URL/],
    ["file:///etc/passwd", "IMPORT_ADDRESS", /file:/],
    ["https://example.com/", "DATASET_FILE_NAME", /not a plain file name/],
    ["https://example.com/..%2f..%2fpasswd", "DATASET_FILE_NAME", /not a plain file name/],
  ])("is refused with its place: %s", async (url, code, detail) => {
    const { status, body } = await app()
      .admin.post(`/v1/datasets/${dataset}/imports`)
      .send({ files: [{ url }] });
    expect([status, body.code]).toEqual([422, code]);
    expect(body.detail).toMatch(detail);
    expect(body.pointer).toMatch(/^\/files\/0\/(url|name)$/);
    expect(body.detail).not.toContain("pass@");
  });

  it("may not clash with names that are there", async () => {
    source.files.set("/a.csv", { bytes: edges });
    const url = source.url("/a.csv");
    await ended(await start({ files: [{ url }] }));
    const send = (body: object) => app().admin.post(`/v1/datasets/${dataset}/imports`).send(body);
    expect((await send({ files: [{ url }] })).body).toMatchObject({ code: "REQUEST_CONFLICT", file: "a.csv" });
    expect((await send({ files: [{ url }, { url }], replace: true })).body.code).toBe("REQUEST_CONFLICT");
    expect((await send({ files: [{ url }], spec: { version: 1, edges: 1 } })).body.pointer).toBe("/spec/edges");
    const input = `{ files: [{ url: "${url}", sha256: "12" }] }`;
    const query = `mutation { startImport(dataset: "${dataset}", input: ${input}) { id } }`;
    const { errors } = (await app().admin.post("/graphql").send({ query })).body;
    expect(errors[0].extensions).toMatchObject({ code: "REQUEST_INVALID", pointer: "/input/files/0/sha256" });
  });

  it("needs an editor, and is seen in its project only", async () => {
    source.files.set("/a.csv", { bytes: edges });
    const body = { files: [{ url: source.url("/a.csv") }] };
    const id = await start(body);
    await ended(id);
    const viewer = await keyFor(app(), "viewer");
    const as = (key: string) => ({ authorization: key });
    const sent = await app().anonymous.post(`/v1/datasets/${dataset}/imports`).set(as(viewer)).send(body);
    expect(sent.body.code).toBe("AUTH_FORBIDDEN");
    expect((await app().anonymous.get(`/v1/imports/${id}`).set(as(viewer))).status).toBe(200);
    await app().services.prisma.project.upsert({
      where: { id: "other" },
      create: { id: "other", name: "other" },
      update: {},
    });
    const stranger = await keyFor(app(), "admin", "other");
    for (const [method, path] of [
      ["get", `/v1/imports/${id}`],
      ["post", `/v1/imports/${id}/cancel`],
      ["post", `/v1/imports/${id}/again`],
      ["get", `/v1/datasets/${dataset}/imports`],
    ] as const)
      expect((await app().anonymous[method](path).set(as(stranger))).body.code).toBe("REQUEST_NOT_FOUND");
  });
});

describe("credentials for sources", () => {
  const secret = "t0p-s3cret";
  const credentials = () => app().admin.get("/v1/source-credentials");

  it("let an import in, are encrypted, and are never shown", async () => {
    const hosts = [`127.0.0.1:${source.port}`];
    const made = await app()
      .admin.post("/v1/source-credentials")
      .send({ name: "store", kind: "bearer", hosts, secret });
    expect(made.status).toBe(201);
    const taken = await app()
      .admin.post("/v1/source-credentials")
      .send({ name: "store", kind: "bearer", hosts, secret });
    expect(taken.body.code).toBe("REQUEST_CONFLICT");
    source.files.set("/a.csv", { bytes: edges, needs: `authorization: Bearer ${secret}` });
    const url = source.url("/a.csv");
    expect((await ended(await start({ files: [{ url }] }))).problem).toMatchObject({
      code: "IMPORT_REFUSED",
      detail: expect.stringMatching(/no credential was sent/),
    });
    const done = await ended(await start({ files: [{ url, credential: "store" }] }));
    expect(done).toMatchObject({ state: "SUCCEEDED", files: [{ credential: "store" }] });
    const rows = await app().services.prisma.$queryRaw`SELECT * FROM "SourceCredential", "ImportFile", "Import"`;
    const listed = (await credentials()).body;
    const text = (value: unknown) => JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? `${one}` : one));
    expect(text([rows, listed, made.body, done])).not.toContain(secret);
    expect(listed.items).toEqual([made.body]);
    expect((await app().admin.delete(`/v1/source-credentials/${made.body.id}`)).status).toBe(204);
    const missing = await app()
      .admin.post(`/v1/datasets/${dataset}/imports`)
      .send({
        files: [{ url, name: "b.csv", credential: "store" }],
      });
    expect(missing.body).toMatchObject({ code: "IMPORT_REFUSED", pointer: "/files/0/credential" });
  });

  it("are not sent elsewhere, and do not open under another row or key", async () => {
    const body = {
      name: "elsewhere",
      kind: "header",
      hosts: ["example.com", "*.example.com:8443"],
      secret: `X-Key: ${secret}`,
    };
    const made = await app().admin.post("/v1/source-credentials").send(body);
    source.files.set("/a.csv", { bytes: edges });
    const files = [{ url: source.url("/a.csv"), credential: "elsewhere" }];
    expect((await ended(await start({ files }))).state).toBe("SUCCEEDED");
    expect(source.requests.map(({ headers }) => headers["x-key"])).toEqual([undefined]);
    const { prisma } = app().services;
    const { sealed } = await prisma.sourceCredential.findUniqueOrThrow({ where: { id: made.body.id } });
    const other = await app()
      .admin.post("/v1/source-credentials")
      .send({ ...body, name: "other" });
    await prisma.sourceCredential.update({ where: { id: other.body.id }, data: { sealed } });
    const sent = await app()
      .admin.post(`/v1/datasets/${dataset}/imports`)
      .send({
        files: [{ url: source.url("/a.csv"), name: "b.csv", credential: "other" }],
      });
    expect(sent.body.code).toBe("CREDENTIAL_UNREADABLE");
  });

  it.each([
    [{ kind: "bearer", secret: "with space" }, "/secret"],
    [{ kind: "bearer", secret: "line\r\nX-Other: 1" }, "/secret"],
    [{ kind: "header", secret: "X-Key: a\r\nHost: b" }, "/secret"],
    [{ kind: "header", secret: "Host: elsewhere" }, "/secret"],
    [{ kind: "basic", secret: "nobody" }, "/secret"],
    [{ hosts: ["https://example.com"] }, "/hosts/0"],
    [{ hosts: ["*"] }, "/hosts/0"],
  ])("are refused when they cannot be sent: %j", async (part, pointer) => {
    const whole = { name: "x", kind: "bearer", hosts: ["example.com"], secret, ...part };
    const { status, body } = await app().admin.post("/v1/source-credentials").send(whole);
    expect([status, body.pointer]).toEqual([400, pointer]);
    expect(body.detail).not.toContain(whole.secret);
  });

  it("are an admin's to add, and an editor's to name", async () => {
    const editor = { authorization: await keyFor(app(), "editor") };
    const body = { name: "y", kind: "bearer", hosts: ["example.com"], secret };
    const sent = await app().anonymous.post("/v1/source-credentials").set(editor).send(body);
    expect(sent.body.code).toBe("AUTH_FORBIDDEN");
    expect((await app().anonymous.get("/v1/source-credentials").set(editor)).status).toBe(200);
    const query = `mutation { createSourceCredential(input: { name: "z", kind: BASIC, hosts: ["example.com"], secret: "a:b" }) { id name kind hosts } }`;
    const { data } = (await app().admin.post("/graphql").send({ query })).body;
    expect(data.createSourceCredential).toMatchObject({ name: "z", kind: "BASIC", hosts: ["example.com"] });
    const removal = `mutation { deleteSourceCredential(id: "${data.createSourceCredential.id}") }`;
    expect((await app().admin.post("/graphql").send({ query: removal })).body.data.deleteSourceCredential).toBe(true);
  });
});
