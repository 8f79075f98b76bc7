import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { downloadParquet, readCsv } from "../support/parquet.ts";
import { Stack } from "../support/stack.ts";

const numNodes = 300;
const numGroups = 3;
const groupOf = (node: number) => node % numGroups;
const genres = ["folk / roots", "jazz", "rock"];

/**
 * Groups that link inside, seen as a class, as sets of genres and as numbers; every tenth node says nothing of itself.
 */
function writeFiles(dir: string): { nodes: string; edges: string; labels: string } {
  const known = (node: number) => node % 10 !== 0;
  const splits = ["train", "train", "val", "test"];
  const rows = Array.from({ length: numNodes }, (_, node) => {
    const group = groupOf(node);
    const cells = known(node)
      ? [
          `g${group}`,
          `${genres[group]}|${genres[(group + 1) % numGroups]}`,
          group === 0 ? 1 : 0,
          group < 2 ? 1 : 0,
          1000 + 50 * group,
          group - 1,
        ]
      : ["", "", "", "", "", ""];
    return [`n${node}`, ...cells, splits[Math.floor(node / numGroups) % 4], (group + (node % 7) / 10).toFixed(2)].join(
      ",",
    );
  });
  const links = Array.from({ length: 1500 }, (_, i) => {
    const node = (i * 17) % numNodes;
    const other = i % 5 === 0 ? (i * 31 + 7) % numNodes : (node + numGroups * (1 + (i % 40))) % numNodes;
    return `n${node},n${other}`;
  });
  const pairs = Array.from({ length: numNodes }, (_, node) =>
    known(node) ? [`n${node},${genres[groupOf(node)]}`, `n${node},all`] : [],
  ).flat();
  const write = (name: string, header: string, lines: readonly string[]) => {
    const path = join(dir, name);
    writeFileSync(path, `${[header, ...lines].join("\n")}\n`);
    return path;
  };
  return {
    nodes: write("nodes.csv", "id,group,genres,is_a,is_ab,price,trend,split,f0", rows),
    edges: write("edges.csv", "src,dst", links),
    labels: write("labels.csv", "who,genre", pairs),
  };
}

const edges = { files: ["edges.csv"], src: "src", dst: "dst" };
const nodes = { files: ["nodes.csv"], id: "id", split: "split", features: { columns: ["f0"] } };
const train = { epochs: 4, batchSize: 64, optimizer: { options: { lr: 0.02 } } };

interface Case {
  readonly nodes: Record<string, unknown>;
  readonly spec: Record<string, unknown>;
  /** Metrics that the model must have, besides the loss */
  readonly metrics: readonly string[];
  /** Columns of the predictions behind id and split; `p_…` of classes apart */
  readonly columns: readonly string[];
}

const multi = { type: "nodeMultiLabel", target: "genres" };
const single = {
  metrics: ["accuracy", "macroF1", "microF1", "rocAuc", "averagePrecision"],
  columns: ["label", "predicted", "confidence"],
};
const several = { metrics: ["macroF1", "microF1", "rocAuc", "averagePrecision"], columns: ["label", "predicted"] };
const price = { metrics: ["mae", "rmse", "r2"], columns: ["target_price", "predicted_price"] };
const cell = { ...nodes, label: "genres", labelSeparator: "|" };
const number = { ...nodes, targets: ["price", "trend"] };

const cases: Record<string, Case> = {
  "one class, balanced, from training edges alone": {
    ...single,
    nodes: { ...nodes, label: "group" },
    spec: { task: { target: "group", classWeights: "balanced", inductive: true } },
  },
  "one class, sampled evaluation, early stopping by F1": {
    ...single,
    nodes: { ...nodes, label: "group" },
    spec: {
      task: { target: "group" },
      train: { ...train, evaluate: { mode: "sampled" }, earlyStopping: { metric: "val/macroF1", patience: 3 } },
    },
  },
  "several labels in a cell, weighted, best two by ROC-AUC": {
    ...several,
    nodes: cell,
    spec: {
      task: { ...multi, classWeights: "balanced", threshold: 0.4 },
      train: { ...train, gradClipNorm: 1, checkpoint: { keepBest: 2 }, earlyStopping: { metric: "val/rocAuc" } },
    },
  },
  "several labels from a file, on a graph without features": {
    ...several,
    nodes: {
      files: ["nodes.csv"],
      id: "id",
      split: "split",
      labelFile: { files: ["labels.csv"], node: "who", label: "genre" },
    },
    spec: { task: { ...multi, target: "genre" }, features: { structural: { dim: 16, hops: 2 } } },
  },
  "several labels as 0/1 columns, random split": {
    ...several,
    nodes: { ...nodes, labelColumns: ["is_a", "is_ab"] },
    spec: { task: { ...multi, target: "labels" }, split: { type: "random" } },
  },
  "a number, squared errors": { ...price, nodes: number, spec: { task: { type: "nodeRegression", target: "price" } } },
  "a number, absolute errors, cosine schedule": {
    ...price,
    nodes: number,
    spec: {
      task: { type: "nodeRegression", target: "price", loss: "mae" },
      train: { ...train, schedule: { type: "cosine" } },
    },
  },
  "two numbers as they are, Huber, early stopping by r²": {
    metrics: ["mae", "rmse", "r2"],
    columns: ["target_trend", "predicted_trend", "target_price", "predicted_price"],
    nodes: number,
    spec: {
      task: { type: "nodeRegression", target: ["trend", "price"], loss: "huber", huberDelta: 2, standardize: false },
      train: { ...train, earlyStopping: { metric: "val/r2", patience: 2 } },
    },
  },
};

describe("every task in a job, from the columns to the predictions", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-tasks-"));
  const datasets = new Map<string, string>();
  let stack: Stack;
  let client: Client;
  let paths: readonly string[];

  beforeAll(async () => {
    const files = writeFiles(dir);
    paths = [files.nodes, files.edges, files.labels];
    stack = await Stack.startOnServer();
    client = stack.client;
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** One dataset for each way of mapping the same files. */
  async function datasetOf(mapping: Record<string, unknown>): Promise<string> {
    const key = JSON.stringify(mapping);
    const known = datasets.get(key);
    if (known) return known;
    const made = await client.makeDataset(`tasks ${datasets.size}`, paths, { edges, nodes: mapping });
    datasets.set(key, made);
    return made;
  }

  const modelInfo = (job: JobState) => job.artifacts.find(({ kind }) => kind === "model")!.info;

  it.each(Object.entries(cases))("%s", async (_name, { nodes: mapping, spec, metrics, columns }) => {
    const dataset = await datasetOf(mapping);
    const job = await client.finished(
      await client.submit({
        dataset,
        model: { type: "sage", options: { hiddenFeats: 16, dropout: 0.1 } },
        sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
        train,
        resources: { ranks: 1 },
        ...spec,
      }),
    );
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");

    const found = modelInfo(job)["metrics"] as Record<string, number | null>;
    for (const metric of ["loss", ...metrics]) expect(found[`test/${metric}`], metric).toEqual(expect.any(Number));
    const recounted = job.artifacts.find(({ kind }) => kind === "remapped")!.info["metrics"] as Record<string, number>;
    for (const [metric, value] of Object.entries(recounted)) {
      if (metric.startsWith("test/")) expect(found[metric]).toBeCloseTo(value, 3);
    }
    const series = await client.graphql<{ job: { series: { name: string; values: number[] }[] } }>(
      `query($id: ID!) { job(id: $id) { series { name values } } }`,
      { id: job.id },
    );
    expect(series.job.series.map(({ name }) => name)).toEqual(expect.arrayContaining(["train/loss", "val/loss"]));

    const rows = await downloadParquet(client, "predictions", job.id);
    expect(rows).toHaveLength(numNodes);
    expect(Object.keys(rows[0]!).filter((name) => !name.startsWith("p_"))).toEqual(["id", "split", ...columns]);
    const [truth, guess] = columns as [string, string];
    expect(rows.find(({ id }) => id === "n10")![truth]).toBeNull(); // every tenth node is unlabelled,
    expect(rows.find(({ id }) => id === "n10")![guess]).not.toBeNull(); // and predicted all the same
    expect(rows.find(({ id }) => id === "n11")![truth]).not.toBeNull();
  });

  it("links, from the edges alone to the new neighbours of each node", async () => {
    const dataset = await client.makeDataset("links", [paths[1]!], { edges });
    const jobId = await client.submit({
      dataset,
      task: { type: "linkPrediction", dim: 16, newNeighbors: 4 },
      features: { structural: { dim: 16 } },
      model: { type: "sage", options: { hiddenFeats: 16, dropout: 0.1 } },
      sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
      train: { ...train, epochs: 12 },
      resources: { ranks: 2 },
    });
    const job = await client.finished(jobId);
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    const found = modelInfo(job)["metrics"] as Record<string, number | null>;
    // Four links in five are within a group; links drawn without a look at the graph would be told apart by chance.
    expect(found["test/auc"]).toBeGreaterThan(0.65);
    for (const metric of ["ap", "mrr", "hits@10"]) {
      expect(found[`test/${metric}`], metric).toEqual(expect.any(Number));
    }

    const linked = new Set((await readCsv(paths[1]!)).flatMap(({ src, dst }) => [`${src} ${dst}`, `${dst} ${src}`]));
    const rows = await downloadParquet(client, "predictions", job.id);
    expect(rows).toHaveLength(4 * numNodes);
    expect(rows.filter(({ id, neighbor }) => id === neighbor || linked.has([id, neighbor].join(" ")))).toEqual([]);
    const { neighbors } = await client.api.call("GET /v1/jobs/:id/new-neighbors", {
      params: { id: job.id },
      query: { node: "n11" },
    });
    const ofNode = rows.filter(({ id }) => id === "n11").toSorted((a, b) => Number(a["rank"]) - Number(b["rank"]));
    expect(neighbors.map(({ id }) => id)).toEqual(ofNode.map(({ neighbor }) => neighbor));
    const byRelation = await client.graphql<{ job: { relationFigures: unknown[] } }>(
      `query($id: ID!) { job(id: $id) { relationFigures { relations numLinks { val test } metrics } } }`,
      { id: job.id },
    );
    const { id } = job;
    expect(byRelation.job.relationFigures).toEqual([]); // edges are all alike
    expect(await client.api.call("GET /v1/jobs/:id/relation-figures", { params: { id } })).toEqual([]);
    const unknown = { params: { id: job.id }, query: { node: "nobody" } };
    await expect(client.api.call("GET /v1/jobs/:id/new-neighbors", unknown)).rejects.toThrow(/nobody/);
  });

  it("links whose job lists no new neighbours: the same figures, an empty table, and a refusal that says why", async () => {
    const dataset = await client.makeDataset("links without lists", [paths[1]!], { edges });
    const idOf = async (newNeighbors: number) =>
      client.submit({
        dataset,
        task: { type: "linkPrediction", dim: 16, newNeighbors },
        features: { structural: { dim: 16 } },
        model: { type: "sage", options: { hiddenFeats: 16 } },
        train: { ...train, epochs: 2 },
      });
    const [none, some] = await Promise.all([idOf(0), idOf(1)].map(async (id) => client.finished(await id)));
    expect(none!.state, JSON.stringify(none!.problem)).toBe("SUCCEEDED");
    expect(modelInfo(none!)["metrics"]).toEqual(modelInfo(some!)["metrics"]);
    expect(await downloadParquet(client, "predictions", none!.id)).toEqual([]);
    const asked = { params: { id: none!.id }, query: { node: "n11" } };
    await expect(client.api.call("GET /v1/jobs/:id/new-neighbors", asked)).rejects.toThrow(/task\.newNeighbors: 0/);
    const query = "query($id: ID!) { job(id: $id) { hasNewNeighbors } }";
    const hasLists = async ({ id }: JobState) => (await client.graphql<{ job: object }>(query, { id })).job;
    expect([await hasLists(none!), await hasLists(some!)]).toEqual([
      { hasNewNeighbors: false },
      { hasNewNeighbors: true },
    ]);
  });

  it("classes of edges, from their own column to a prediction for each by the ids of both ends", async () => {
    const rows = Array.from({ length: 900 }, (_, i) => {
      const [from, to] = [(i * 7) % numNodes, (i * 13 + 5 + 11 * Math.floor(i / numNodes)) % numNodes];
      const amount = ((i * 37) % 100) - 50;
      return `n${from},n${to},${amount},${i % 30 === 4 ? "" : amount > 0 ? "large" : "small"}`;
    });
    const path = join(dir, "payments.csv");
    writeFileSync(path, `src,dst,amount,size\n${rows.join("\n")}\n`);
    const payments = { files: ["payments.csv"], src: "src", dst: "dst", features: ["amount"], label: "size" };
    const dataset = await client.makeDataset("payments", [paths[0]!, path], { edges: payments, nodes, directed: true });
    const task = { type: "edgeClassification", target: "size", dim: 8, hiddenFeats: 8 };
    const spec = { dataset, task, model: { type: "sage", options: { hiddenFeats: 8, dropout: 0 } } };
    const sampling = { type: "neighbor", options: { fanouts: [5, 5] } };
    const job = await client.finished(
      await client.submit({ ...spec, sampling, train: { ...train, epochs: 8 }, resources: { ranks: 2 } }),
    );
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    const found = modelInfo(job)["metrics"] as Record<string, number | null>;
    expect(found["test/accuracy"]).toBeGreaterThan(0.85);

    const predicted = await downloadParquet(client, "predictions", job.id);
    expect(predicted.map(({ source, target }) => [source, target].join(" "))).toEqual(
      rows.map((row) => row.split(",").slice(0, 2).join(" ")),
    );
    expect(predicted[4]).toMatchObject({ label: null, predicted: expect.any(String), confidence: expect.any(Number) });
    const judged = predicted.filter(({ split, label }) => split === "test" && label !== null);
    const right = judged.filter(({ label, predicted: guess }) => label === guess).length;
    expect(found["test/accuracy"]).toBeCloseTo(right / judged.length, 5);

    const graphs = await client.graphql<{ dataset: { latest: { graph: Record<string, unknown> } } }>(
      `query($id: ID!) { dataset(id: $id) { latest { graph { edgeRows { numRows labelCounts { label count } } } } } }`,
      { id: dataset },
    );
    expect(graphs.dataset.latest.graph["edgeRows"]).toMatchObject({ numRows: 900 });
    const refused: readonly [object, RegExp][] = [
      [{ task: { ...task, target: "amount" } }, /no label column .{1,2}amount/],
      [{ task: { type: "edgeRegression", target: "amount" } }, /no target column amount/],
      [{ task: { ...task, split: { type: "time" } } }, /no time column/],
      [{ sampling: { type: "clusterGcn", options: {} } }, /^\/sampling\/type: /],
    ];
    for (const [change, message] of refused)
      await expect(client.submit({ ...spec, ...change })).rejects.toThrow(message);
  });

  it("embeddings of a graph without labels, by its own ids and with no prediction, and the model gives them again", async () => {
    const dataset = await datasetOf(nodes);
    const job = await client.finished(
      await client.submit({
        dataset,
        task: { type: "deepGraphInfomax", dim: 16 },
        model: { type: "gcn", options: { numLayers: 1, dropout: 0 } },
        sampling: { type: "full" },
        train,
        resources: { ranks: 2 },
        outputs: { model: "unlabelled" },
      }),
    );
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    expect(Object.keys(modelInfo(job)["metrics"] as object)).toEqual(["val/loss"]);
    const rows = await downloadParquet(client, "embeddings", job.id);
    expect(rows.map(({ id }) => id)).toContain("n11");
    expect(rows).toHaveLength(numNodes);
    await expect(downloadParquet(client, "predictions", job.id)).rejects.toThrow();

    const applied = await client.finished(
      await client.submit({ kind: "infer", model: "unlabelled@1", dataset, resources: { ranks: 2 } }),
    );
    expect(applied.state, JSON.stringify(applied.problem)).toBe("SUCCEEDED");
    expect(await downloadParquet(client, "embeddings", applied.id)).toEqual(rows);
    await expect(downloadParquet(client, "predictions", applied.id)).rejects.toThrow();

    const refused = { dataset, task: { type: "deepGraphInfomax" }, resources: { ranks: 2, graph: "partitioned" } };
    await expect(client.submit(refused)).rejects.toThrow(/^\/resources\/graph: /);
  });

  it("a training that starts from a kept model predicts what that did, and lets it be deleted meanwhile", async () => {
    const dataset = await datasetOf({ ...nodes, label: "group" });
    const spec = { dataset, task: { target: "group" }, features: { transforms: ["standardize"] } };
    const first = await client.finished(
      await client.submit({ ...spec, train, resources: { ranks: 2 }, outputs: { model: "begun" } }),
    );
    expect(first.state, JSON.stringify(first.problem)).toBe("SUCCEEDED");

    // A learning rate that moves no weight: what comes out is what the model brought along.
    const still = { epochs: 1, optimizer: { type: "sgd", options: { lr: 1e-12 } } };
    const started = await client.submit({ ...spec, train: still, startFrom: { model: "begun" } });
    const [{ id: model } = { id: "" }] = (await client.api.call("GET /v1/models", { query: { name: "begun" } })).items;
    await client.api.call("DELETE /v1/models/:id", { params: { id: model } });
    const second = await client.finished(started);
    expect(second.state, JSON.stringify(second.problem)).toBe("SUCCEEDED");
    const [of, was] = [await scoresOf(second.id), await scoresOf(first.id)];
    expect(of.size).toBe(numNodes);
    for (const [node, scores] of of) {
      for (const [i, score] of scores.entries()) expect(score).toBeCloseTo(was.get(node)?.[i] as number, 5);
    }
  });

  /** Probabilities of the classes by node */
  async function scoresOf(job: string): Promise<Map<unknown, number[]>> {
    const rows = await downloadParquet(client, "predictions", job);
    return new Map(rows.map((row) => [row["id"], [0, 1, 2].map((group) => Number(row[`p_g${group}`]))]));
  }

  it("links of a graph in parts and from sampler processes have the losses of a whole one; what cannot be is refused", async () => {
    const dataset = await client.makeDataset("in parts", [paths[1]!], { edges });
    const task = { type: "linkPrediction", dim: 16, newNeighbors: 2 };
    const spec = {
      dataset,
      task,
      features: { embedding: { dim: 8 } },
      model: { type: "gcn", options: { hiddenFeats: 8, dropout: 0.1 } },
      sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
      partition: { options: { numParts: 2 } },
      train,
    };
    const lossesOf = async (resources: object) => {
      const job = await client.finished(await client.submit({ ...spec, resources: { ranks: 2, ...resources } }));
      expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
      const { job: told } = await client.graphql<{ job: { series: { name: string; values: number[] }[] } }>(
        `query($id: ID!) { job(id: $id) { series { name values } } }`,
        { id: job.id },
      );
      expect(await downloadParquet(client, "predictions", job.id)).toHaveLength(2 * numNodes);
      return told.series.find(({ name }) => name === "train/loss")?.values;
    };
    const expected = await lossesOf({});
    expect(expected).toHaveLength(train.epochs);
    expect(await lossesOf({ graph: "partitioned" })).toEqual(expected);
    expect(await lossesOf({ samplers: 1 })).toEqual(expected);

    const structural = { ...spec, features: { structural: {} }, resources: { ranks: 2, graph: "partitioned" } };
    await expect(client.submit(structural)).rejects.toThrow(/^\/features\/structural: /);
    const transE = { dataset, task: { ...task, decoder: { type: "transE" } } };
    await expect(client.submit(transE)).rejects.toThrow(/undirected/);
  });

  it("what a dataset offers to learn is told, and a task that it does not offer refused by its place", async () => {
    const dataset = await datasetOf(number);
    const { dataset: found } = await client.graphql<{ dataset: { latest: { graph: Record<string, unknown> } } }>(
      `query($id: ID!) { dataset(id: $id) { latest { graph { multiLabel targets { name count mean min max } } } } }`,
      { id: dataset },
    );
    const [target] = found.latest.graph["targets"] as Record<string, unknown>[];
    expect(found.latest.graph["multiLabel"]).toBe(false);
    expect(target).toMatchObject({ name: "price", count: 270, min: 1000, max: 1100 });
    const wrong: readonly [unknown, RegExp][] = [
      [{ type: "nodeRegression", target: "weight" }, /no target column weight: it has price, trend/],
      [{ type: "nodeMultiLabel", target: "genres" }, /one label per node, or none/],
      [{ target: "group" }, /no label column .{1,2}group/],
    ];
    for (const [task, message] of wrong) await expect(client.submit({ dataset, task })).rejects.toThrow(message);
    const task = { type: "nodeRegression", target: "price" };
    const stopping = { earlyStopping: { metric: "val/accuracy" } };
    await expect(client.submit({ dataset, task, train: stopping })).rejects.toThrow(/has no metric val\/accuracy/);
  });
});
