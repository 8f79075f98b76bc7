import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SourceServer } from "../../apps/api/test/imports/support/source-server.ts";
import { connect, told } from "../support/assistant.ts";
import { readParquet } from "../support/parquet.ts";
import { clientForPython, hasPython, python } from "../support/python.ts";
import { Stack } from "../support/stack.ts";
import { writeVersions } from "../support/versions.ts";

// The dashboard, with what is for models, is built by script/setup.
const builtList = fileURLToPath(new URL("../../apps/web/dist/llms.txt", import.meta.url));

/** What programs other than the dashboard, the command line and TypeScript get of a service. */
describe("programs", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-programs-"));
  const { first } = writeVersions(dir);
  let stack: Stack;
  let source: SourceServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    source = await SourceServer.start();
    stack = await Stack.startOnServer({
      HOPWISE_IMPORT_NETWORKS: "127.0.0.1",
      HOPWISE_DATASETS_MIRROR: source.url(""),
    });
    const key = readFileSync(join(stack.dir, "secrets", "admin-api-key"), "utf8");
    env = { HOPWISE_URL: stack.url, HOPWISE_API_KEY: key.trim() };
  });
  afterAll(async () => {
    await stack?.stop();
    await source?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.skipIf(!hasPython)("in Python upload, train and read embeddings by id, and tell errors apart", async () => {
    const { stdout, stderr } = await python([join(clientForPython, "test", "tour.py"), ...first], { env });
    const told = JSON.parse(stdout);
    expect(stderr).toMatch(/^epoch 2: .*loss/m);
    expect(told).toMatchObject({ ref: expect.stringMatching(/^ds_\w+@1$/), accuracy: expect.any(Number) });

    const { api } = stack.client;
    const file = join(dir, "embeddings.parquet");
    const asked = { params: { id: String(told.job) }, query: { format: "parquet" } } as const;
    writeFileSync(file, new Uint8Array(await api.bytes("GET /v1/jobs/:id/embeddings", asked)));
    const exported = await readParquet(file);
    expect(told.ids).toEqual(exported.map(({ id }) => id));
    const vectors = exported.map(({ embedding }) => [...(embedding as Iterable<number>)].map(Math.fround));
    expect(told.vectors.map((vector: number[]) => vector.map(Math.fround))).toEqual(vectors);

    expect(told.brought).toEqual(["brought@1", true, "from elsewhere"]);

    expect(told.errors).toEqual({
      unknown: ["NotFoundError", "REQUEST_NOT_FOUND", null],
      model: ["NotFoundError", "REQUEST_NOT_FOUND", null],
      spec: ["InvalidError", "JOB_SPEC_INVALID", "/train/epochs"],
      key: ["NotAllowedError", "AUTH_INVALID", null],
    });
  });

  it("serves assistants, who may look and not touch unless it is allowed", async () => {
    const { api } = stack.client;
    const [job] = (await api.call("GET /v1/jobs", { query: { kind: "train" } })).items;
    const looks = await connect(env);
    const { tools } = await looks.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["list_datasets", "show_job", "read_log"]));
    expect(await told(looks, "list_datasets")).toEqual(await api.call("GET /v1/datasets", { query: { first: 50 } }));
    if (job) {
      const answer = await told(looks, "show_job", { job: job.id });
      expect(answer).toEqual(await api.call("GET /v1/jobs/:id", { params: { id: job.id } }));
      const ids = ["n3", "n7"];
      const params = { id: job.id };
      await stack.startServing();
      const predicted = await told(looks, "predict", { model: job.id, ids });
      expect(predicted).toEqual(await api.call("POST /v1/jobs/:id/predict", { params, body: { ids } }));
      const near = await told(looks, "find_neighbors", { model: job.id, id: "n3", count: 2 });
      expect(near).toEqual(await api.call("POST /v1/jobs/:id/neighbors", { params, body: { id: "n3", k: 2 } }));
      const known = await looks.callTool({ name: "predict", arguments: { model: job.id, nodes: [{ id: "n3" }] } });
      expect(known).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("NODE_EXISTS") }] });
    }
    expect(await told(looks, "list_components", { kind: "model" })).toMatchObject({
      components: expect.arrayContaining([expect.objectContaining({ name: "sage" })]),
    });
    await expect(looks.callTool({ name: "train", arguments: { dataset: "x" } })).rejects.toThrow(/no tool "train"/);
    const unknown = await looks.callTool({ name: "show_job", arguments: { job: "job_nobody" } });
    expect(unknown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("REQUEST_NOT_FOUND") }] });
    await looks.close();
  });

  it.skipIf(!existsSync(builtList))("gives assistants the guides of the service, as llms.txt lists them", async () => {
    const looks = await connect(env);
    const { resources } = await looks.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(["hopwise://help/job-spec.md"]));
    const { contents } = await looks.readResource({ uri: "hopwise://help/job-spec.md" });
    expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringMatching(/^# Job spec\n/) }]);
    await expect(looks.readResource({ uri: "hopwise://help/../v1/jobs" })).rejects.toThrow(/no resource/);
    const list = await fetch(`${stack.url}/llms.txt`);
    expect([list.status, list.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    await looks.close();
  });

  it("lets assistants change something where a flag and the key allow it alone", async () => {
    const { api } = stack.client;
    const [job] = (await api.call("GET /v1/jobs", { query: { kind: "train" } })).items;
    const { secret } = await api.call("POST /v1/api-keys", { body: { name: "looker", role: "viewer" } });
    const viewer = await connect({ ...env, HOPWISE_API_KEY: secret }, "--allow-writes");
    expect((await viewer.listTools()).tools.map(({ name }) => name)).not.toContain("train");
    await viewer.close();

    const editor = await connect(env, "--allow-writes", "--folder", dir);
    const { tools } = await editor.listTools();
    expect(tools.find(({ name }) => name === "train")).toMatchObject({ annotations: { readOnlyHint: false } });
    const uploaded = await told(editor, "upload_files", { paths: first, name: "by-assistant" });
    expect(uploaded).toMatchObject({ ref: expect.stringMatching(/^ds_\w+@1$/), numNodes: 200 });
    source.files.set("/roads.csv", { bytes: Buffer.from("src,dst\na,b\nb,c\n") });
    const imported = await told(editor, "import_files", { addresses: [source.url("/roads.csv")], name: "roads" });
    expect(imported).toMatchObject({ ref: expect.stringMatching(/@1$/), numNodes: 3 });
    const packed = gzipSync("0\t1\n1\t2\n2\t3\n");
    source.files.set("/snap.stanford.edu/data/loc-gowalla_edges.txt.gz", { bytes: packed });
    expect(await told(editor, "import_files", { published: "gowalla" })).toMatchObject({ numNodes: 4, numEdges: 6 });
    for (const [arguments_, says] of [
      [{}, "Give addresses"],
      [{ published: "nothing" }, "nothing"],
      [{ addresses: [source.url("/none.csv")] }, "IMPORT_NOT_FOUND"],
      [{ addresses: ["https://a.example/x", "https://b.example/y"], queries: ["SELECT 1"] }, "one of a database"],
    ] as const) {
      const answer = await editor.callTool({ name: "import_files", arguments: arguments_ });
      expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(says) }] });
    }
    const unread = await editor.callTool({ name: "upload_files", arguments: { paths: [join(dir, "none.csv")] } });
    expect(unread).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("cannot be read") }] });
    expect(JSON.stringify(await told(editor, "list_datasets")), "what got nothing is removed").not.toContain('"none"');
    const secretFile = join(stack.dir, "secrets", "admin-api-key");
    const elsewhere = await editor.callTool({
      name: "upload_files",
      arguments: { paths: [secretFile], name: "stolen" },
    });
    expect(elsewhere).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("NOT_ALLOWED") }] });
    const outside = { job: job?.id ?? "", path: "../embeddings.csv", format: "csv" };
    const written = await editor.callTool({ name: "download_results", arguments: outside });
    expect(written).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("outside the folder") }],
    });
    const refused = await editor.callTool({ name: "cancel_job", arguments: { job: "job_nobody" } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("REQUEST_NOT_FOUND") }] });
    await editor.close();
  });

  it("lets assistants add rows to a graph, from addresses and from files", async () => {
    const editor = await connect(env, "--allow-writes", "--folder", dir);
    source.files.set("/streets.csv", { bytes: Buffer.from("src,dst\na,b\nb,c\n") });
    const addresses = [source.url("/streets.csv")];
    const { ref } = await told<{ ref: string }>(editor, "import_files", { addresses, name: "streets" });
    const dataset = ref.split("@")[0];

    source.files.set("/streets.csv", { bytes: Buffer.from("src,dst\nc,d\n") });
    const imported = await told(editor, "import_files", { addresses, dataset, adds: true });
    expect(imported).toMatchObject({ ref: `${dataset}@2`, numNodes: 4, numEdges: 6 });

    writeFileSync(join(dir, "more-streets.csv"), "src,dst\nd,e\n");
    const uploaded = await told(editor, "upload_files", { paths: ["more-streets.csv"], dataset, adds: true });
    expect(uploaded).toMatchObject({ ref: `${dataset}@3`, numNodes: 5, numEdges: 8 });

    for (const [tool, given] of [
      ["import_files", { addresses, adds: true }],
      ["upload_files", { paths: ["more-streets.csv"], adds: true }],
    ] as const) {
      const answer = await editor.callTool({ name: tool, arguments: given });
      expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("name the dataset") }] });
    }
    await editor.close();
  });
});
