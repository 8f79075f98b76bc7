import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plantedEdges } from "../../packages/gnn-core/test/edges/support/planted-edges.ts";
import { seededRandom } from "../../packages/gnn-core/test/support/seeded-random.ts";
import { ringTables } from "../../packages/gnn-core/test/whole-graphs/support/rings.ts";
import type { Client, JobState } from "../support/client.ts";
import { downloadParquet } from "../support/parquet.ts";
import { Stack } from "../support/stack.ts";

type Row = Record<string, unknown>;

describe("a model that has learnt on one version of a dataset, applied to the next", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-applied-"));
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = await Stack.startOnServer();
    await stack.startServing();
    client = stack.client;
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Uploads tables as the next version of a dataset, or as a new one. */
  async function versionOf(tables: Record<string, string>, spec: object, dataset?: string): Promise<string> {
    const folder = mkdtempSync(join(dir, "tables-"));
    const paths = Object.entries(tables).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    if (dataset === undefined) return client.makeDataset(folder.split("/").at(-1)!, paths, spec);
    await client.upload(dataset, paths);
    const ingest = await client.api.call("PUT /v1/datasets/:id/spec", {
      params: { id: dataset },
      body: { version: 1, ...spec },
    });
    const job = await client.finished(ingest.id);
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    return dataset;
  }

  async function succeeded(spec: Record<string, unknown>): Promise<JobState> {
    const job = await client.finished(await client.submit(spec));
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    return job;
  }

  const predictionsOf = (job: JobState): Promise<Row[]> => downloadParquet(client, "predictions", job.id);
  const metricsOf = (job: JobState, kind: string) =>
    job.artifacts.find((artifact) => artifact.kind === kind)!.info["metrics"] as Record<string, number | null>;

  it("whole graphs: the graphs of tomorrow by the classes of today, and the same figures on those of today", async () => {
    const edges = { files: ["edges.csv"], src: "src", dst: "dst", graph: "graph" };
    const nodes = {
      files: ["nodes.csv"],
      id: "node",
      graph: "graph",
      features: { columns: [], oneHot: ["kind"] },
    };
    const known = { files: ["graphs.csv"], id: "graph", label: "class", fold: "fold" };
    const dataset = await versionOf(ringTables(48), { edges, nodes, graphs: known });
    const spec = {
      task: { type: "graphClassification", target: "class", dim: 16, hiddenFeats: 16, testFold: "0" },
      features: { transforms: ["standardize"] },
      model: { type: "gin", options: { hiddenFeats: 16, numLayers: 2 } },
      train: { epochs: 5, batchSize: 8 },
      outputs: { model: "rings" },
    };
    const trained = await succeeded({ dataset, ...spec });
    const unlabelled = { edges, nodes, graphs: { files: ["graphs.csv"], id: "graph" } };
    await versionOf(ringTables(60, 4), unlabelled, dataset);

    const applied = await succeeded({ kind: "infer", model: "rings", dataset, resources: { ranks: 2 } });
    const rows = await predictionsOf(applied);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, g) => `g${g}`));
    expect(Object.keys(rows[0]!)).toEqual(["id", "split", "label", "predicted", "confidence", "p_chords", "p_plain"]);
    expect(rows.every(({ label }) => label === null)).toBe(true);
    expect(await downloadParquet(client, "embeddings", applied.id)).toHaveLength(60);

    const again = await succeeded({ kind: "infer", model: "rings", dataset: `${dataset}@1` });
    expect(await predictionsOf(again)).toEqual(await predictionsOf(trained));
    expect(metricsOf(again, "remapped")["test/accuracy"]).toBeCloseTo(metricsOf(trained, "model")["test/accuracy"]!, 6);

    const few = client.submit({ kind: "infer", model: "rings", dataset, resources: { ranks: 61 } });
    await expect(few).rejects.toThrow(/There are 60 graphs for 61 ranks; ask for fewer/);
    const start = { dataset: `${dataset}@1`, ...spec, startFrom: { model: "rings" } };
    await expect(client.submit(start)).rejects.toThrow(/startFrom/);
    const one = await versionOf(
      { "edges.csv": "src,dst\na,b\nb,c\n" },
      { edges: { files: ["edges.csv"], src: "src", dst: "dst" } },
    );
    await expect(client.submit({ kind: "infer", model: "rings", dataset: one })).rejects.toThrow(
      /^\/dataset: The model learnt whole graphs, and the dataset is one graph/,
    );
  });

  it("labels of edges: tomorrow's edges without a label, among nodes that are new", async () => {
    const [first, later] = [plantedEdges(), plantedEdges(70, 800)];
    const spec = {
      edges: { files: ["edges.csv"], src: "from", dst: "to", features: ["amount"], label: "kind" },
      nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
      directed: true,
    };
    const tablesOf = ({ nodes, edges }: { nodes: string; edges: string }) => ({
      "nodes.csv": nodes,
      "edges.csv": edges,
    });
    const dataset = await versionOf(tablesOf(first), spec);
    const trained = await succeeded({
      dataset,
      task: { type: "edgeClassification", target: "kind", dim: 8, hiddenFeats: 8 },
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 1, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 4, batchSize: 64 },
      outputs: { model: "payments" },
    });
    const bare = { ...later, edges: later.edges.replaceAll(/,(alike|unlike),/g, ",,") };
    await versionOf(tablesOf(bare), spec, dataset);
    const rows = await predictionsOf(
      await succeeded({ kind: "infer", model: "payments", dataset, resources: { ranks: 2 } }),
    );
    const ends = bare.edges.trim().split("\n").slice(1);
    expect(rows.map(({ source, target }) => [source, target].join(","))).toEqual(
      ends.map((line) => line.split(",").slice(0, 2).join(",")),
    );
    expect(
      rows.every(({ label, predicted }) => label === null && ["alike", "unlike"].includes(String(predicted))),
    ).toBe(true);

    const scores = (of: Row[]) => of.map(({ p_alike: alike }) => alike);
    const again = await succeeded({ kind: "infer", model: "payments", dataset: `${dataset}@1` });
    expect(scores(await predictionsOf(again))).toEqual(scores(await predictionsOf(trained)));
    const { label: _, ...unmapped } = spec.edges;
    const other = await versionOf(tablesOf(first), { ...spec, edges: unmapped });
    await expect(client.submit({ kind: "infer", model: "payments", dataset: other })).rejects.toThrow(
      /^\/dataset: The model learnt labels of edges, and the dataset has none/,
    );
  });

  it("kinds and lists that the next version lacks, or has and the model has not learnt", async () => {
    const table = (header: string, rows: readonly string[]) => `${[header, ...rows].join("\n")}\n`;
    /** Papers and authors that are joined to none of another letter */
    const cluster = (letter: string, paperKinds: readonly string[], numWords: number) => ({
      papers: Array.from({ length: 24 }, (_, i) => {
        const words = [i % numWords, (i * 5 + 1) % numWords].join(" ");
        return `${letter}p${i},${i % 2 ? "odd" : "even"},${i / 10},${paperKinds[i % paperKinds.length]},${words}`;
      }),
      authors: Array.from({ length: 8 }, (_, i) => `${letter}a${i},${paperKinds[(i * i) % paperKinds.length]}`),
      writes: Array.from({ length: 40 }, (_, i) => `${letter}a${i % 8},${letter}p${(i * 7) % 24}`),
    });
    const tablesOf = (...clusters: readonly ReturnType<typeof cluster>[]) => ({
      "papers.csv": table(
        "id,label,x,kind,words",
        clusters.flatMap(({ papers }) => papers),
      ),
      "authors.csv": table(
        "id,kind",
        clusters.flatMap(({ authors }) => authors),
      ),
      "writes.csv": table(
        "author,paper",
        clusters.flatMap(({ writes }) => writes),
      ),
    });
    const spec = {
      nodeTypes: {
        paper: {
          files: ["papers.csv"],
          id: "id",
          label: "label",
          features: { columns: ["x"], oneHot: ["kind"], multiHot: "words" },
        },
        author: { files: ["authors.csv"], id: "id", features: { columns: [], oneHot: ["kind"] } },
      },
      relations: [
        { source: "author", name: "writes", target: "paper", files: ["writes.csv"], src: "author", dst: "paper" },
      ],
    };
    const stays = cluster("s", ["b", "d"], 3);
    const dataset = await versionOf(tablesOf(stays, cluster("g", ["a", "c", "d"], 9)), spec);
    await succeeded({
      dataset,
      task: { target: "label" },
      split: { type: "random" },
      features: { transforms: ["standardize"] },
      model: { type: "rgcn", options: { hiddenFeats: 8, numLayers: 2 } },
      sampling: { type: "full" },
      train: { epochs: 5 },
      outputs: { model: "papers" },
    });
    await versionOf(tablesOf(stays, cluster("n", ["b", "e"], 12)), spec, dataset);

    const scoresOf = async (job: JobState) => {
      const rows = (await predictionsOf(job)).filter(({ id }) => String(id).includes("sp"));
      return new Map(rows.map(({ id, p_odd: odd }) => [String(id), Number(odd)]));
    };
    const before = await scoresOf(await succeeded({ kind: "infer", model: "papers", dataset: `${dataset}@1` }));
    expect(before.size).toBe(24);
    for (const graph of ["shared", "partitioned"]) {
      const job = await succeeded({ kind: "infer", model: "papers", dataset, resources: { ranks: 2, graph } });
      const now = await scoresOf(job);
      for (const [id, score] of before) expect(now.get(id), `${id}, ${graph}`).toBeCloseTo(score, 5);
      const { lines } = await client.api.call("GET /v1/jobs/:id/logs", { params: { id: job.id } });
      expect(lines.map(({ message }) => message).join("\n")).toContain(
        'reads zeros in their place: "author.kind" "e"; "paper.kind" "e"; "paper.words" from index 9 on',
      );
    }

    // A node given in a request is read in the model's columns too: as it is once it is stored.
    const job = await succeeded({ kind: "infer", model: "papers", dataset });
    const features = { x: 0.7, kind: "b", words: [1, 4] };
    const fresh = { id: "new", type: "paper", features, edges: [{ from: "sa3", relation: "writes" }] };
    const { predictions } = await client.api.call("POST /v1/jobs/:id/predict", {
      params: { id: job.id },
      body: { nodes: [fresh] },
    });
    const stored = tablesOf(stays, cluster("n", ["b", "e"], 12), {
      papers: ["new,odd,0.7,b,1 4"],
      authors: [],
      writes: ["sa3,new"],
    });
    await versionOf(stored, spec, dataset);
    const rows = await predictionsOf(await succeeded({ kind: "infer", model: "papers", dataset }));
    const after = rows.find(({ id }) => String(id).endsWith("new"))!;
    expect(predictions[0]!.values["p_odd"]).toBeCloseTo(Number(after["p_odd"]), 5);

    const start = { dataset, task: { target: "label" }, split: { type: "random" }, startFrom: { model: "papers" } };
    const model = { type: "rgcn", options: { hiddenFeats: 8, numLayers: 2 } };
    await expect(client.submit({ ...start, model, features: { transforms: ["standardize"] } })).rejects.toThrow(
      /^\/dataset: A training starts from a model only on the columns that it has learnt/,
    );
  });

  it("relations that the next version lacks, or has and the model has not learnt", async () => {
    /** Papers and authors that are joined to none of another letter */
    const cluster = (letter: string, relations: readonly string[]) => ({
      nodes: Array.from({ length: 20 }, (_, i) => `${letter}${i},${i % 3 ? "most" : "few"},${(i % 7) / 7},${i % 2}`),
      edges: Array.from(
        { length: 60 },
        (_, i) => `${letter}${i % 20},${letter}${(i + 1 + ((i * 7) % 18)) % 20},${relations[i % relations.length]}`,
      ),
    });
    const tablesOf = (...clusters: readonly ReturnType<typeof cluster>[]) => ({
      "nodes.csv": `id,label,x,y\n${clusters.flatMap(({ nodes }) => nodes).join("\n")}\n`,
      "edges.csv": `a,b,relation\n${clusters.flatMap(({ edges }) => edges).join("\n")}\n`,
    });
    const spec = {
      edges: { files: ["edges.csv"], src: "a", dst: "b", type: "relation", reverseTypes: true },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", features: { columns: ["x", "y"] } },
      duplicates: "keep",
    };
    const stays = cluster("s", ["cites", "writes"]);
    const dataset = await versionOf(tablesOf(stays, cluster("g", ["admires", "cites", "funds", "writes"])), spec);
    const model = { type: "rgcn", options: { hiddenFeats: 8, numLayers: 2 } };
    const asked = { dataset, task: { target: "label" }, split: { type: "random" }, model, sampling: { type: "full" } };
    await succeeded({ ...asked, train: { epochs: 5 }, outputs: { model: "relations" } });
    // "admires" and "funds" are gone, so that "writes" is the second of the version and not the fourth.
    const next = tablesOf(stays, cluster("n", ["cites", "owns", "writes"]));
    await versionOf(next, spec, dataset);

    const scoresOf = async (job: JobState) =>
      new Map((await predictionsOf(job)).map(({ id, p_few: few }) => [String(id), Number(few)]));
    const before = await scoresOf(await succeeded({ kind: "infer", model: "relations", dataset: `${dataset}@1` }));
    for (const graph of ["shared", "partitioned"]) {
      const job = await succeeded({ kind: "infer", model: "relations", dataset, resources: { ranks: 2, graph } });
      const now = await scoresOf(job);
      expect(now.size).toBe(40);
      for (const id of now.keys()) {
        if (id.startsWith("s")) expect(now.get(id), `${id}, ${graph}`).toBeCloseTo(before.get(id)!, 5);
      }
      const { lines } = await client.api.call("GET /v1/jobs/:id/logs", { params: { id: job.id } });
      expect(lines.map(({ message }) => message).join("\n")).toContain(
        'has not learnt edges of the type "owns", "rev_owns", and the job leaves them out.',
      );
    }

    // A node given in a request is as it is once it is stored.
    const job = await succeeded({ kind: "infer", model: "relations", dataset });
    const fresh = {
      id: "new",
      features: { x: 0.5, y: 1 },
      edges: [
        { to: "s3", relation: "writes" },
        { to: "n4", relation: "cites" },
      ],
    };
    const ask = (nodes: (typeof fresh)[]) =>
      client.api.call("POST /v1/jobs/:id/predict", { params: { id: job.id }, body: { nodes } });
    const { predictions } = await ask([fresh]);
    await expect(ask([{ ...fresh, edges: [{ to: "n4", relation: "owns" }] }])).rejects.toThrow(
      /There is no relation "owns"; expected one of/,
    );
    const stored = tablesOf(stays, cluster("n", ["cites", "owns", "writes"]), {
      nodes: ["new,most,0.5,1"],
      edges: ["new,s3,writes", "new,n4,cites"],
    });
    await versionOf(stored, spec, dataset);
    const after = await scoresOf(await succeeded({ kind: "infer", model: "relations", dataset }));
    expect(predictions[0]!.values["p_few"]).toBeCloseTo(after.get("new")!, 5);

    await expect(client.submit({ ...asked, startFrom: { model: "relations" } })).rejects.toThrow(
      /^\/dataset: A training starts from a model only on the types .* has not learnt "owns", "rev_owns"/,
    );
  });

  it("triples: the proposals of each relation that is left, with as many as are asked for", async () => {
    const triples = Array.from({ length: 80 }, (_, i) => `e${i % 16},${["near", "over"][i % 2]},e${(i * 5 + 3) % 16}`);
    // Pairs of the rare relation are joined by another too, so that without it as many are known.
    const rare = triples.slice(0, 4).map((line) => line.replace(/near|over/, "ally"));
    const spec = { edges: { files: ["triples.csv"], src: "h", dst: "t", type: "r" }, directed: true };
    const table = (rows: readonly string[]) => ({ "triples.csv": `h,r,t\n${rows.join("\n")}\n` });
    const dataset = await versionOf(table([...triples, ...rare]), spec);
    await succeeded({
      dataset,
      task: {
        type: "linkPrediction",
        dim: 8,
        relations: "each",
        decoder: { type: "distMult" },
        newNeighbors: 0,
        split: { type: "random", val: 0, test: 0 },
      },
      features: { embedding: { dim: 8 } },
      model: { type: "shallow" },
      train: { epochs: 3, batchSize: 32 },
      outputs: { model: "facts" },
    });
    await versionOf(table(triples), spec, dataset);
    const listsOf = async (job: JobState) =>
      Promise.all(
        Array.from({ length: 16 }, async (_, i) => {
          const [params, query] = [{ id: job.id }, { node: `e${i}` }];
          const { neighbors } = await client.api.call("GET /v1/jobs/:id/new-neighbors", { params, query });
          return new Map(neighbors.map(({ id, score, relations }) => [id, { score, relations }]));
        }),
      );
    const outputs = { newNeighbors: 100 };
    const before = await listsOf(await succeeded({ kind: "infer", model: "facts", dataset: `${dataset}@1`, outputs }));
    const now = await listsOf(await succeeded({ kind: "infer", model: "facts", dataset, outputs }));
    let numCompared = 0;
    for (const [node, lists] of before.entries()) {
      expect([...now[node]!.keys()].toSorted()).toEqual([...lists.keys()].toSorted());
      for (const [id, { score, relations }] of lists) {
        if (relations.includes("ally")) continue;
        expect(now[node]!.get(id)).toEqual({ score: expect.closeTo(score, 5), relations });
        numCompared++;
      }
    }
    expect(numCompared).toBeGreaterThan(20);
    const silent = await succeeded({ kind: "infer", model: "facts", dataset });
    const asked = client.api.call("GET /v1/jobs/:id/new-neighbors", {
      params: { id: silent.id },
      query: { node: "e1" },
    });
    await expect(asked).rejects.toThrow(/lists no new neighbours.*outputs\.newNeighbors/);
  });

  it("links: rows and new neighbours of nodes that came later, and the training's own where the dataset parts its links", async () => {
    const random = seededRandom(5);
    const nodesOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `n${from + i},${(from + i) % 2 ? 1 : -1},${random().toFixed(3)}`);
    /** Links between nodes of the same parity */
    const linksOf = (from: number, to: number, count: number) =>
      Array.from({ length: count }, (_, i) => {
        const a = from + Math.floor(random() * (to - from));
        const b = (a + 2 * (1 + Math.floor(random() * (to / 2 - 1)))) % to;
        return `n${a},n${b},${["train", "train", "train", "val", "test"][i % 5]}`;
      });
    const first = { nodes: nodesOf(0, 60), links: linksOf(0, 60, 240) };
    const tables = ({ nodes, links }: typeof first) => ({
      "nodes.csv": `id,x,y\n${nodes.join("\n")}\n`,
      "links.csv": `a,b,side\n${links.join("\n")}\n`,
    });
    const spec = {
      edges: { files: ["links.csv"], src: "a", dst: "b", split: "side" },
      nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
      duplicates: "drop",
    };
    const dataset = await versionOf(tables(first), spec);
    const trained = await succeeded({
      dataset,
      task: { type: "linkPrediction", dim: 8, newNeighbors: 3, split: { type: "given" } },
      features: { transforms: ["standardize"] },
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 4, batchSize: 64 },
      outputs: { model: "friends" },
    });
    const again = await succeeded({ kind: "infer", model: "friends", dataset });
    expect(await downloadParquet(client, "embeddings", again.id)).toEqual(
      await downloadParquet(client, "embeddings", trained.id),
    );
    expect(await predictionsOf(again)).toEqual(await predictionsOf(trained));

    // A version without sides: all links carry messages, and all are known.
    const later = { nodes: [...first.nodes, ...nodesOf(60, 70)], links: [...first.links, ...linksOf(60, 70, 30)] };
    const { split: _, ...edges } = spec.edges;
    await versionOf(tables(later), { ...spec, edges }, dataset);
    const applied = await succeeded({ kind: "infer", model: "friends", dataset, resources: { ranks: 2 } });
    const rows = await downloadParquet(client, "embeddings", applied.id);
    expect(rows.map(({ id }) => id)).toEqual(later.nodes.map((line) => line.split(",")[0]));
    const { neighbors } = await client.api.call("GET /v1/jobs/:id/new-neighbors", {
      params: { id: applied.id },
      query: { node: "n65" },
    });
    expect(neighbors).toEqual(bestOfAll(rows, "n65", later.links).slice(0, 3));
  });

  it("links by learned rows: those of known nodes as they were, and later nodes named, which are near to none", async () => {
    const links = Array.from({ length: 90 }, (_, i) => `u${i % 15},u${(i * 4 + 1 + Math.floor(i / 15)) % 15}`);
    const spec = { edges: { files: ["links.csv"], src: "a", dst: "b" } };
    const table = (rows: readonly string[]) => ({ "links.csv": `a,b\n${rows.join("\n")}\n` });
    const dataset = await versionOf(table(links), spec);
    const trained = await succeeded({
      dataset,
      task: { type: "linkPrediction", dim: 8, newNeighbors: 2 },
      features: { embedding: { dim: 8 } },
      model: { type: "shallow" },
      train: { epochs: 3, batchSize: 32 },
      outputs: { model: "circle" },
    });
    await versionOf(table([...links, "u0,late"]), spec, dataset);
    const applied = await succeeded({ kind: "infer", model: "circle", dataset });
    const rowsOf = async (job: JobState) =>
      new Map((await downloadParquet(client, "embeddings", job.id)).map(({ id, embedding }) => [id, embedding]));
    const [before, now] = [await rowsOf(trained), await rowsOf(applied)];
    expect(now.get("late")).toEqual(Array(8).fill(0));
    now.delete("late");
    expect(now).toEqual(before);
    const { learnedRows } = await client.api.call("GET /v1/jobs/:id", { params: { id: applied.id } });
    expect(learnedRows).toMatchObject({ known: 15, unseen: 1, unseenIds: ["late"] });
    const proposals = await predictionsOf(applied);
    expect(proposals.filter(({ id }) => id === "u3")).toHaveLength(2);
  });
});

/** The likeliest new neighbours by the product of their rows, one after the other */
function bestOfAll(rows: readonly Row[], node: string, links: readonly string[]) {
  const vectors = new Map(rows.map(({ id, ...columns }) => [String(id), Object.values(columns).flat().map(Number)]));
  const known = new Set(
    links.flatMap((line) => [line.split(",").slice(0, 2), line.split(",").slice(0, 2).toReversed()].map(String)),
  );
  const own = vectors.get(node)!;
  return [...vectors]
    .filter(([id]) => id !== node && !known.has(`${node},${id}`))
    .map(([id, row]) => ({ id, score: row.reduce((sum, x, i) => sum + x * own[i]!, 0) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ id, score }) => ({ id, score: expect.closeTo(score, 4), type: null, relations: [] }));
}
