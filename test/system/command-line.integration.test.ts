import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SourceServer } from "../../apps/api/test/imports/support/source-server.ts";
import { denseSageLayer, relu, sageWeights, worstDifference } from "../support/dense-sage.ts";
import { Hopwise } from "../support/hopwise.ts";
import { readParquet } from "../support/parquet.ts";
import { readSafetensors } from "../support/safetensors.ts";
import { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { writeVersions } from "../support/versions.ts";

interface Job {
  readonly id: string;
  readonly state: string;
  readonly stages: readonly { readonly kind: string; readonly cached: boolean }[];
  readonly metrics: Readonly<Record<string, number>>;
}

interface Answer {
  readonly predictions: readonly {
    readonly id: string;
    readonly values: Readonly<Record<string, unknown>>;
    readonly embedding?: readonly number[];
  }[];
}

interface Told {
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly features: readonly { readonly name: string }[];
}

interface Near {
  readonly neighbors: readonly { readonly id: string; readonly score: number }[];
}

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0));

/** The whole tour by `hopwise` alone: a graph, a model, and the model on what the graph has become the day after. */
describe("hopwise, from the login to tomorrow's nodes", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-command-line-"));
  const { first, second, rows, neighbors, newIds } = writeVersions(dir);
  const hopwise = new Hopwise(dir);
  let stack: Stack;
  let source: SourceServer;
  let trained: Job;

  beforeAll(async () => {
    source = await SourceServer.start();
    stack = await Stack.startOnServer({
      HOPWISE_IMPORT_NETWORKS: "127.0.0.1",
      HOPWISE_DATASETS_MIRROR: source.url(""),
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await source?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it("logs in with a key from standard input, and keeps it where nobody else reads it", async () => {
    const wrong = await hopwise.run(["login", stack.url], { input: "hw_wrong\n" });
    expect(wrong).toMatchObject({ code: 3, out: "" });
    const key = readFileSync(join(stack.dir, "secrets", "admin-api-key"), "utf8");
    const { code, out, err } = await hopwise.run(["login", stack.url], { input: key });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("as admin (admin), profile default");
    expect(statSync(hopwise.configFile).mode & 0o777).toBe(0o600);
    expect(await hopwise.json<object[]>("workers")).toMatchObject([{ id: "test-worker", state: "ONLINE" }]);
  });

  it("finds service, stores, key and workers as they are, and says what is bad", async () => {
    const { code, out } = await hopwise.run(["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {4}.* answers\.\nok {4}The database answers[^]*key is admin's[^]*1 worker is online/);
    const wrong = await hopwise.run(["doctor"], { env: { HOPWISE_API_KEY: "hw_wrong" } });
    expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/\nBAD {3}.*\n {6}Log in with a key/) });
    const nowhere = await hopwise.run(["doctor", "--json", "--url", "http://127.0.0.1:1"], {
      env: { HOPWISE_API_KEY: "hw_wrong" },
    });
    expect(nowhere.code).toBe(1);
    expect(JSON.parse(nowhere.out)).toMatchObject([{ check: "service", state: "bad" }]);
  });

  it("starts and stops a service of one's own by the repository's scripts", async () => {
    const stopped = await hopwise.run(["start", "--stop"], { env: { HOPWISE_DATA: join(dir, "own") } });
    expect(stopped).toMatchObject({ code: 0, out: expect.stringMatching(/^No stack runs in .*own\.\n$/) });
  });

  it("uploads files, has a graph built as proposed, and lists it", async () => {
    const made = await hopwise.json("upload", ...first, "--name", "versions");
    expect(made).toMatchObject({ ref: expect.stringMatching(/^ds_\w+@1$/), numNodes: 200 });
    const { out } = await hopwise.run(["datasets", "versions"]);
    expect(out).toMatch(/VERSION +STATE +NODES[^]*@1 +READY +200/);
  });

  it("adds the rows of further files to a dataset, and tells what came from where", async () => {
    const write = (name: string, text: string) => {
      writeFileSync(join(dir, name), text);
      return join(dir, name);
    };
    const edges = write("e1.csv", "src,dst\na,b\nb,c\n");
    const nodes = write("n1.csv", "id,age\na,1\nb,2\nc,3\n");
    await hopwise.json("upload", edges, nodes, "--name", "grown");
    const more = [write("n2.csv", "id,age\nd,4\n"), write("e2.csv", "src,dst\nd,a\nd,b\n")];
    expect(await hopwise.run(["upload", ...more, "--name", "x", "--add"])).toMatchObject({ code: 2 });
    const { code, out } = await hopwise.run(["upload", ...more, "--dataset", "grown", "--add"]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        "4 nodes, 8 edges; added to version 1: n2.csv (nodes: 1, edges: 0), e2.csv (nodes: 0",
      ),
    });
    const unfit = write("n3.csv", "key,years\ne,4\n");
    const refused = await hopwise.run(["upload", unfit, "--dataset", "grown", "--add"]);
    expect(refused).toMatchObject({
      code: expect.any(Number),
      err: expect.stringMatching(/n3\.csv fits no .*"years"/),
    });
    expect(refused.code).not.toBe(0);
  });

  it("has files fetched from addresses with a credential, and a graph built as proposed", async () => {
    const host = ["--host", `127.0.0.1:${source.port}`];
    const added = await hopwise.run(["credentials", "add", "archive", ...host], { input: "s3cret\n" });
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining("archive goes to 127.0.0.1") });
    for (const path of first)
      source.files.set(`/${basename(path)}`, { bytes: bytesOf(path), needs: "authorization: Bearer s3cret" });
    const urls = first.map((path) => source.url(`/${basename(path)}`));
    const refused = await hopwise.run(["import", ...urls, "--name", "fetched"]);
    expect(refused).toMatchObject({ code: 5, err: expect.stringMatching(/FAILED: IMPORT_REFUSED: .* answers 401/) });
    expect(await hopwise.run(["import", "ftp://x/y.csv", "--name", "fetched"])).toMatchObject({ code: 1 });
    expect(await hopwise.run(["upload", join(dir, "none.csv"), "--name", "fetched"])).toMatchObject({ code: 2 });
    expect((await hopwise.run(["datasets"])).out, "what got nothing is removed again").not.toContain("fetched");
    const made = await hopwise.json("import", ...urls, "--name", "fetched", "--credential", "archive");
    expect(made).toMatchObject({ ref: expect.stringMatching(/@1$/), numNodes: 200 });
    const listed = await hopwise.run(["import", "--catalogue"]);
    expect(listed.out).toMatch(/NAME +NODES[^]*ogbn-arxiv +169343 +1166243 +ODC-BY/);
    const scheduled = await hopwise.json<{ id: string }>("schedules", "add", "fetched", "--every", "daily");
    expect((await hopwise.run(["schedules", "--dataset", "fetched"])).out).toMatch(/isch_\w+ +daily +ACTIVE/);
    expect(await hopwise.run(["schedules", "add", "fetched", "--cron", "* * * * *"])).toMatchObject({ code: 1 });
    expect(await hopwise.run(["schedules", "add", "versions", "--every", "daily"])).toMatchObject({ code: 4 });
    expect(await hopwise.json("schedules", "pause", scheduled.id)).toMatchObject({ state: "PAUSED" });
    expect(await hopwise.json("schedules", "delete", scheduled.id)).toMatchObject({ deleted: true });
    expect(await hopwise.run(["import", "--catalogue", "karate"])).toMatchObject({ code: 4 });
    expect(await hopwise.run(["import"])).toMatchObject({ code: 2 });
    expect(await hopwise.json("credentials", "delete", "archive")).toMatchObject({ deleted: true });
  });

  it("adds the rows that are fetched, those of a file of the same name at once, and has a schedule add them", async () => {
    const bytes = (text: string) => ({ bytes: Buffer.from(text) });
    const url = source.url("/sales.csv");
    source.files.set("/sales.csv", bytes("src,dst\na,b\nb,c\n"));
    const schedule = ["--every", "daily", "--add"];
    const made = await hopwise.run(["import", url, "--name", "sales", ...schedule]);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("its rows added daily") });
    source.files.set("/sales.csv", bytes("src,dst\nc,d\n"));
    const { code, out } = await hopwise.run(["import", url, "--dataset", "sales", "--add"]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("4 nodes, 6 edges; added to version 1: sales-2.csv (nodes: 0, edges: 1)"),
    });
    expect(await hopwise.run(["import", url, "--name", "x", "--add"])).toMatchObject({ code: 2 });
    expect(await hopwise.run(["import", url, "--dataset", "sales", "--add", "--replace"])).toMatchObject({ code: 2 });
    expect((await hopwise.run(["schedules", "--dataset", "sales"])).out).toMatch(/ADDS[^]*daily[^]*yes/);
  });

  it("imports a published data set by its name", async () => {
    const packed = gzipSync("0\t1\n1\t2\n2\t3\n");
    source.files.set("/snap.stanford.edu/data/loc-gowalla_edges.txt.gz", { bytes: packed });
    expect(await hopwise.json("import", "--catalogue", "gowalla")).toMatchObject({ numNodes: 4, numEdges: 6 });
    expect((await hopwise.run(["datasets"])).out).toMatch(/Gowalla/);
  });

  it("trains and follows: phases, amounts and epochs on standard error, the figures on standard output", async () => {
    const options = ["--dataset", "versions", "--model", "sage", "--n-hidden", "8", "--dropout", "0", "--epochs", "3"];
    const more = ["--batch-size", "64", "--num-neighbors", "5", "--set", 'features.transforms=["standardize"]'];
    const small = ["--set", "outputs.map.maxDetailed=0", "--keep", "versions", "--watch", "--json"];
    const { code, out, err } = await hopwise.run(["train", ...options, ...more, ...small]);
    expect(code, err + stack.logOf("worker").slice(-2000)).toBe(0);
    trained = JSON.parse(out);
    expect(trained).toMatchObject({ state: "SUCCEEDED", metrics: { "test/accuracy": expect.any(Number) } });
    expect(err).toMatch(/^train: /m);
    expect(err).toMatch(/^epoch 3: .*loss/m);
    expect((await hopwise.run(["logs", trained.id])).out).toContain("Nodes inferred");
    expect(await hopwise.json<object[]>("models")).toMatchObject([{ name: "versions" }]);
    expect((await hopwise.run(["models", "promote", "versions@1"])).out).toBe("versions@1 production\n");
  });

  it("speaks the parameters of DGL's control variates", async () => {
    const source = ["--graph-name", "versions", "--model", "gcn_cv", "--num-neighbors", "1", "--batch-size", "2500"];
    const { spec, estimate } = await hopwise.json<Record<string, object>>(
      "train",
      ...source,
      "--n-hidden",
      "64",
      "--dry-run",
    );
    expect(spec).toMatchObject({
      task: { target: "label" },
      model: { type: "gcn", options: { hiddenFeats: 64 } },
      sampling: { type: "controlVariate", options: { numNeighbors: 1 } },
      train: { batchSize: 2500 },
    });
    expect(estimate).toMatchObject({ fits: true });
  });

  it("applies the model to a later version; rows are those of a dense pass, of unseen nodes too", async () => {
    const later = await hopwise.json("upload", ...second, "--dataset", "versions");
    expect(later).toMatchObject({ ref: expect.stringMatching(/@2$/), numNodes: 220 });
    const infer = ["infer", "--model", "versions", "--dataset", "versions", "--watch"];
    const job = await hopwise.json<Job>(...infer);
    expect(job.stages.map(({ kind }) => kind)).not.toContain("train");
    const again = await hopwise.json<Job>(...infer);
    expect(again.stages.every(({ cached }) => cached)).toBe(true);

    await hopwise.json("download", "versions@1", "-o", "model");
    const weights = readSafetensors(bytesOf(join(dir, "model/model.safetensors")));
    const fitted = readSafetensors(bytesOf(join(dir, "model/transforms.safetensors")));
    expect(JSON.parse(readFileSync(join(dir, "model/card.json"), "utf8")).trainedOn.numNodes).toBe(200);
    const mean = fitted.get("0.mean")?.values ?? [];
    const scale = fitted.get("0.scale")?.values ?? [];
    const x = rows.map((row) => row.map((value, i) => (value - (mean[i] ?? 0)) / (scale[i] ?? 1)));
    const hidden = relu(denseSageLayer(x, neighbors, sageWeights(weights, 0)));

    await hopwise.json("download", job.id, "-o", "embeddings.parquet");
    const exported = await readParquet(join(dir, "embeddings.parquet"));
    const worst = worstDifference(exported, new Map(hidden.map((row, node) => [`n${node}`, row])));
    console.log(`largest difference ${worst} over ${exported.length} nodes, ${newIds.length} of them unseen`);
    expect(worst).toBeLessThan(1e-5);

    // A new class, "a", has come before the model's own: it does not move their names.
    const logits = denseSageLayer(hidden, neighbors, sageWeights(weights, 1));
    await hopwise.json("download", job.id, "--what", "predictions", "-o", "predictions.parquet");
    const predictions = await readParquet(join(dir, "predictions.parquet"));
    expect(Object.keys(predictions[0] ?? {})).toEqual([
      "id",
      "split",
      "label",
      "predicted",
      "confidence",
      "p_b",
      "p_c",
    ]);
    for (const { id, predicted, label } of predictions) {
      const [b = 0, c = 0] = logits[Number(String(id).slice(1))] ?? [];
      if (Math.abs(b - c) > 1e-4) expect(predicted, String(id)).toBe(b > c ? "b" : "c");
      expect(["b", "c", null]).toContain(label);
    }
  });

  it("applies a model with learned rows to other data: known nodes have theirs, unseen ones are named", async () => {
    const learned = ["--set", "features.embedding.dim=6", "--set", "features.transforms=[]", "--epochs", "2"];
    const asked = ["--dataset", "versions@1", "--model", "sage", "--n-layers", "2", "--n-hidden", "16"];
    await hopwise.json("train", ...asked, ...learned, "--keep", "rows", "--watch");
    // The rows of the later version in another order, so that all nodes are counted otherwise.
    const turned = second.map((path) => {
      const [head = "", ...lines] = readFileSync(path, "utf8").trim().split("\n");
      const name = join(dir, `turned-${basename(path)}`);
      writeFileSync(name, `${[head, ...lines.toReversed()].join("\n")}\n`);
      return name;
    });
    await hopwise.json("upload", ...turned, "--name", "turned");
    const { code, out, err } = await hopwise.run(["infer", "--model", "rows", "--dataset", "turned", "--watch"]);
    expect(code, err + stack.logOf("worker").slice(-2000)).toBe(0);
    const ids = String.raw`\(n\d+, n\d+, n\d+, n\d+, n\d+, …\)`;
    expect(out).toMatch(
      new RegExp(`no learned row of ${newIds.length} nodes ${ids}[^]*all of them: GET /v1/artifacts/`),
    );
    const [id = ""] = out.split("\n");
    await hopwise.json("download", "rows@1", "-o", "rows");
    const numbers = new Float32Array(npyBody(join(dir, "rows/node_embedding.npy")));
    const offsets = Array.from(new BigInt64Array(npyBody(join(dir, "rows/rows_of_nodes.id_offsets.npy"))), Number);
    const texts = Buffer.from(npyBody(join(dir, "rows/rows_of_nodes.id_bytes.npy")));
    const idAt = (row: number) => texts.toString("utf8", offsets[row], offsets[row + 1]);
    const learnedRow = (row: number) => [...numbers.subarray(6 * row, 6 * row + 6)];
    const byId = new Map(offsets.slice(1).map((_, row) => [idAt(row), learnedRow(row)]));
    expect(byId.size).toBe(200);
    const inputs = rows.map((row, node) => [...row, ...(byId.get(`n${node}`) ?? [0, 0, 0, 0, 0, 0])]);
    const weights = readSafetensors(bytesOf(join(dir, "rows/model.safetensors")));
    const hidden = relu(denseSageLayer(inputs, neighbors, sageWeights(weights, 0)));
    await hopwise.json("download", id, "-o", "rows.parquet");
    const exported = await readParquet(join(dir, "rows.parquet"));
    expect(worstDifference(exported, new Map(hidden.map((row, node) => [`n${node}`, row])))).toBeLessThan(1e-5);
  });

  it("uploads the downloaded model as another one, whose rows are the same to the last bit", async () => {
    const brought = await hopwise.json("models", "upload", "model", "--name", "brought", "--note", "from elsewhere");
    expect(brought).toMatchObject({ ref: "brought@1", isUploaded: true, createdBy: "admin", note: "from elsewhere" });
    const cardOf = (model: string) => hopwise.json<Record<string, unknown>>("models", "show", model);
    const [original, card] = [await cardOf("versions@1"), await cardOf("brought@1")];
    for (const name of ["digest", "info", "trainedOn", "metrics", "dataset", "datasetName"])
      expect(card[name], name).toEqual(original[name]);
    const job = await hopwise.json<Job>("infer", "--model", "brought", "--dataset", "versions", "--watch");
    await hopwise.json("download", job.id, "-o", "brought.parquet");
    const rowsIn = (path: string) => readParquet(join(dir, path));
    expect(await rowsIn("brought.parquet")).toEqual(await rowsIn("embeddings.parquet"));
    const start = ["--start-from", "brought", "--set", 'features.transforms=["standardize"]', "--dropout", "0"];
    const more = ["--dataset", "versions@1", "--model", "sage", "--n-hidden", "8", "--batch-size", "64"];
    expect(await hopwise.json("train", ...more, ...start, "--dry-run")).toMatchObject({
      spec: { startFrom: { model: "brought" } },
    });

    const damaged = bytesOf(join(dir, "model/model.safetensors"));
    new DataView(damaged.buffer, damaged.byteOffset).setFloat32(damaged.byteLength - 4, Number.NaN, true);
    const { files: _, ...rest } = JSON.parse(readFileSync(join(dir, "model/card.json"), "utf8"));
    mkdirSync(join(dir, "damaged"));
    writeFileSync(join(dir, "damaged/card.json"), JSON.stringify(rest));
    writeFileSync(join(dir, "damaged/model.safetensors"), damaged);
    writeFileSync(join(dir, "damaged/transforms.safetensors"), bytesOf(join(dir, "model/transforms.safetensors")));
    const refused = await hopwise.run(["models", "upload", "damaged"]);
    expect(refused).toMatchObject({ code: 5, err: expect.stringMatching(/MODEL_INVALID: .*layers\.1\.bias is NaN/) });
  });

  it("asks what is predicted of single nodes, and which are near them: the rows of the job", async () => {
    await stack.startServing();
    const predictions = await readParquet(join(dir, "predictions.parquet"));
    const wanted = [newIds[0], "n0", newIds.at(-1)].map(String);
    const answer = await hopwise.json<Answer>("predict", "versions", ...wanted);
    expect(answer).toMatchObject({ model: "versions@1", dataset: expect.stringMatching(/@2$/) });
    for (const { id, values } of answer.predictions) {
      const { id: _, split: _split, ...row } = predictions.find((one) => one["id"] === id) ?? {};
      expect(values, id).toEqual(row);
    }
    const rows = await readParquet(join(dir, "embeddings.parquet"));
    const vectorOf = (id: string) => Array.from(rows.find((row) => row["id"] === id)?.["embedding"] as Float32Array);
    const near = await hopwise.json<Near>("neighbors", "versions@1", wanted[0] as string, "-k", "5", "--metric", "l2");
    const distances = rows
      .map(({ id }) => ({ id: String(id), score: distance(vectorOf(String(id)), vectorOf(wanted[0] as string)) }))
      .filter(({ id }) => id !== wanted[0])
      .toSorted((a, b) => a.score - b.score);
    expect(near.neighbors.map(({ id }) => id)).toEqual(distances.slice(0, 5).map(({ id }) => id));
    for (const [i, { score }] of near.neighbors.entries()) expect(score).toBeCloseTo(distances[i]?.score ?? -1, 12);
    const vector = vectorOf("n3").join(",");
    const { out } = await hopwise.run(["neighbors", trained.id, "--vector", vector, "-k", "1"]);
    expect(out).toMatch(/^ID +SCORE\n/);
    const unknown = await hopwise.run(["predict", "versions", "n0", "nobody", "--json"]);
    expect(JSON.parse(unknown.err).error).toMatchObject({ code: "NODE_UNKNOWN", pointer: "/ids/1" });
  });

  it("asks about tomorrow's nodes beside the graph of today: the rows that they got once they were stored", async () => {
    const numbersOf = (id: string) => Number(id.slice(1));
    const nodes = newIds.map((id) => ({
      id,
      features: Object.fromEntries((rows[numbersOf(id)] ?? []).map((value, i) => [`f${i}`, value])),
      edges: [...(neighbors[numbersOf(id)] ?? [])].map((other) => ({ to: `n${other}` })),
    }));
    writeFileSync(join(dir, "nodes.jsonl"), nodes.map((node) => `${JSON.stringify(node)}\n`).join(""));
    const today = ["predict", "versions", "--dataset", "versions@1", "--nodes", "nodes.jsonl"];
    const answer = await hopwise.json<Answer>(...today, "--embeddings");
    expect(answer).toMatchObject({ model: "versions@1", dataset: expect.stringMatching(/@1$/) });
    const predictions = await readParquet(join(dir, "predictions.parquet"));
    const embeddings = await readParquet(join(dir, "embeddings.parquet"));
    expect(answer.predictions.map(({ id }) => id)).toEqual(newIds);
    for (const { id, values, embedding = [] } of answer.predictions) {
      const stored = Array.from(embeddings.find((row) => row["id"] === id)?.["embedding"] as Float32Array);
      for (const [i, value] of stored.entries())
        expect(Math.abs(value - (embedding[i] ?? Number.NaN))).toBeLessThan(1e-5);
      const row = predictions.find((one) => one["id"] === id);
      expect(values).toMatchObject({ label: null, predicted: row?.["predicted"] });
      expect(Math.abs(Number(values["p_b"]) - Number(row?.["p_b"]))).toBeLessThan(1e-5);
    }
    expect((await hopwise.run(today)).out).toMatch(/^id +label +predicted +confidence +p_b +p_c\nn200 /);
    const piped = await hopwise.run([...today.slice(0, -1), "-", "--json"], { input: '{"id": "n3"}' });
    expect(JSON.parse(piped.err).error).toMatchObject({ code: "NODE_EXISTS", pointer: "/nodes/0/id" });
    const typo = await hopwise.run([...today.slice(0, -1), "-"], { input: '{"id": "x"}\nx\n' });
    expect(typo).toMatchObject({ code: 2, err: expect.stringContaining("-, line 2") });
  });

  it("asks why a node has its class: edges of its neighbourhood, features by their names", async () => {
    const told = await hopwise.json<Told>(
      "explain",
      "versions",
      "n3",
      "--edges",
      "4",
      "--features",
      "2",
      "--steps",
      "20",
    );
    expect(told).toMatchObject({ id: "n3", class: expect.stringMatching(/^[bc]$/), numFeatures: 4 });
    expect(told.features.map(({ name }) => name).every((name) => /^f[0-3]$/.test(name))).toBe(true);
    expect(told.edges).toHaveLength(4);
    for (const { from, to } of told.edges)
      expect(neighbors[Number(to.slice(1))]?.has(Number(from.slice(1)))).toBe(true);
    const { out } = await hopwise.run(["explain", trained.id, "n3", "--steps", "20"]);
    expect(out).toMatch(/edge n\d+ → n\d+ +\d/);
    const ofNew = [
      "explain",
      "versions",
      "--dataset",
      "versions@1",
      "--nodes",
      "nodes.jsonl",
      "--steps",
      "20",
      "--json",
    ];
    const explained = await hopwise.run([...ofNew, newIds[0] as string]);
    expect(JSON.parse(explained.out)).toMatchObject({ id: newIds[0], dataset: expect.stringMatching(/@1$/) });
    const notGiven = await hopwise.run([...ofNew, "n3"]);
    expect(JSON.parse(notGiven.err).error).toMatchObject({ code: "REQUEST_INVALID", pointer: "/id" });
    const unknown = await hopwise.run(["explain", "versions", "nobody", "--json"]);
    expect(JSON.parse(unknown.err).error).toMatchObject({ code: "NODE_UNKNOWN", pointer: "/id" });
    const noClass = await hopwise.run(["explain", "versions", "n3", "--class", "z", "--json"]);
    expect(JSON.parse(noClass.err).error).toMatchObject({ code: "SPEC_INVALID", pointer: "/class" });
  });

  it("stops explaining when whoever asked has gone, by REST and by GraphQL", async () => {
    const authorization = `Bearer ${readFileSync(join(stack.dir, "secrets/admin-api-key"), "utf8").trim()}`;
    const post = async (path: string, body: object, signal?: AbortSignal) => {
      const headers = { authorization, "content-type": "application/json" };
      const asked = { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) };
      return (await fetch(`${stack.url}${path}`, asked)).status;
    };
    const rest = (steps: number, gone?: AbortSignal) =>
      post(`/v1/jobs/${trained.id}/explain`, { id: "n3", steps }, gone);
    const query = `{ explanation(job: "${trained.id}", id: "n3", steps: 1000) { class } }`;
    const graphql = (gone?: AbortSignal) => post("/graphql", { query }, gone);
    const accepted = async (ask: () => Promise<number>) => {
      for (;;) {
        const status = await ask();
        if (status !== 429) return status;
      }
    };
    for (const ask of [(gone: AbortSignal) => rest(1000, gone), graphql]) {
      let isFirstDone = false;
      const [kept, gone] = [new AbortController(), new AbortController()];
      const first = accepted(() => rest(1000, kept.signal))
        .catch((error: Error) => error.name)
        .finally(() => {
          isFirstDone = true;
        });
      const second = accepted(() => ask(gone.signal)).catch((error: Error) => error.name);
      await until("both places to be taken", async () => (await rest(1)) === 429);
      gone.abort();
      expect(await second).toBe("AbortError");
      // There are two places, and the first is still at work: the third is answered because the second has stopped.
      await until("a place", async () => (await rest(1)) === 200);
      expect(isFirstDone).toBe(false);
      kept.abort();
      await first;
    }
  });

  it("asks about a new paper of authors with learned rows, by the relations of the files", async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => i);
    const papers = numbers.map(
      (i) => `p${i},${Math.sin(i).toFixed(3)},${i % 2 ? "b" : "c"},${i < 6 ? "train" : "val"}`,
    );
    writeFileSync(join(dir, "authors.csv"), `id\n${numbers.map((i) => `a${i}`).join("\n")}\n`);
    writeFileSync(join(dir, "papers.csv"), `id,x,label,split\n${papers.join("\n")}\n`);
    const writes = numbers.flatMap((i) => [`a${i},p${i}`, `a${i},p${(i * 5 + 1) % 12}`]);
    writeFileSync(join(dir, "writes.csv"), `src,dst\n${writes.join("\n")}\n`);
    const paper = { files: ["papers.csv"], id: "id", label: "label", split: "split", features: { columns: ["x"] } };
    const relation = {
      source: "author",
      name: "writes",
      target: "paper",
      files: ["writes.csv"],
      src: "src",
      dst: "dst",
    };
    const nodeTypes = { author: { files: ["authors.csv"], id: "id" }, paper };
    writeFileSync(join(dir, "typed.json"), JSON.stringify({ nodeTypes, relations: [relation] }));
    await hopwise.json(
      "upload",
      "authors.csv",
      "papers.csv",
      "writes.csv",
      "--mapping",
      "typed.json",
      "--name",
      "typed",
    );
    const model = ["--model", "hgt", "--n-hidden", "8", "--epochs", "2"];
    const { id } = await hopwise.json<Job>("train", "--dataset", "typed", ...model);
    expect(await hopwise.run(["watch", id])).toMatchObject({ code: 0 });
    const edges = [
      { relation: "writes", from: "a3" },
      { relation: "writes", from: "a9" },
    ];
    const asked = (node: object) =>
      hopwise.run(["predict", id, "--nodes", "-", "--json"], { input: JSON.stringify(node) });
    const { out, err } = await asked({ id: "new", type: "paper", features: { x: 0.5 }, edges });
    expect(err).toBe("");
    const answer: Answer = JSON.parse(out);
    expect(answer.predictions).toMatchObject([{ id: "new", values: { predicted: expect.stringMatching(/^[bc]$/) } }]);
    const author = await asked({ id: "ada", type: "author", edges: [{ relation: "writes", to: "p1" }] });
    expect(JSON.parse(author.err).error).toMatchObject({ code: "SPEC_INVALID", pointer: "/nodes/0/type" });
    const turned = await asked({
      id: "new",
      type: "paper",
      features: { x: 0.5 },
      edges: [{ relation: "rev_writes", to: "a3" }],
    });
    expect(JSON.parse(turned.err).error).toMatchObject({ code: "SPEC_INVALID", pointer: "/nodes/0/edges/0/relation" });
    const told = await hopwise.json<Told>("explain", id, "p3", "--steps", "10");
    expect(told.edges.map(({ from }) => from)).toContain("a3");
    writeFileSync(join(dir, "paper.json"), JSON.stringify([{ id: "new", type: "paper", features: { x: 0.5 }, edges }]));
    const ofNew = await hopwise.json<Told>("explain", id, "new", "--nodes", "paper.json", "--steps", "10");
    expect(ofNew).toMatchObject({ id: "new", class: answer.predictions[0]?.values["predicted"] });
    expect(
      ofNew.edges
        .filter(({ to }) => to === "new")
        .map(({ from }) => from)
        .toSorted(),
    ).toEqual(["a3", "a9"]);
  });

  it("has a format made that is not there, and cancels what is not wanted", async () => {
    const csv = await hopwise.run(["download", trained.id, "--what", "predictions", "--format", "csv"]);
    expect(csv.code, csv.err).toBe(0);
    expect(readFileSync(join(dir, "predictions.csv"), "utf8").split("\n")[0]).toMatch(/^id,split,label,predicted/);
    const { id } = await hopwise.json<Job>("train", "--dataset", "versions", "--epochs", "100000", "--lr", "1e-9");
    expect((await hopwise.run(["cancel", id])).code).toBe(0);
    expect(await hopwise.run(["watch", id])).toMatchObject({ code: 5, err: expect.stringContaining("CANCELLED") });
  });

  it("ends a training of many epochs where it is, with a model and what it gives", async () => {
    const { id } = await hopwise.json<Job>("train", "--dataset", "versions", "--epochs", "100000", "--ranks", "2");
    await until("its first epoch", async () => (await hopwise.run(["logs", id])).out.includes("Epoch finished"));
    expect(await hopwise.run(["end-training", id])).toMatchObject({ code: 0 });
    expect(await hopwise.run(["watch", id])).toMatchObject({
      code: 0,
      err: expect.stringContaining("its training was told to end where it is"),
    });
    expect((await hopwise.run(["logs", id])).out).toContain("Training ends here, as was asked");
    const rows = await hopwise.run(["download", id, "--format", "csv", "--output", "ended.csv"]);
    expect(rows.code, rows.err).toBe(0);
    expect(await hopwise.run(["end-training", id])).toMatchObject({
      code: 1,
      err: expect.stringContaining("SUCCEEDED"),
    });
  });

  it("ends with the code of what went wrong, and with the place in what was sent", async () => {
    expect(await hopwise.run(["watch", "job_nobody"])).toMatchObject({ code: 4 });
    expect(await hopwise.run(["infer", "--model", "nobody", "--dataset", "versions"])).toMatchObject({ code: 4 });
    const refused = await hopwise.run(["train", "--dataset", "versions", "--set", "train.epochs=0", "--json"]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.err).error).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/train/epochs" });
  });
});

/** What stands behind the header of a `.npy` file of version 1. */
function npyBody(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return Uint8Array.from(bytes.subarray(10 + bytes.readUInt16LE(8))).buffer;
}

/** In an array of its own: small files share the memory of Node's pool. */
function bytesOf(path: string): Uint8Array {
  return Uint8Array.from(readFileSync(path));
}
