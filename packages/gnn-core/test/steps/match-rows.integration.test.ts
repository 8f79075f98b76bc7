import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { idTexts, openNodeIds } from "../../src/export/node-ids.ts";
import type { ArtifactDir } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { readSafetensors, writeSafetensors } from "../../src/io/safetensors.ts";
import { readModelInfo } from "../../src/spec/model-info.ts";
import { matchedRowsInfo } from "../../src/spec/row-names.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { matchRowsStep } from "../../src/steps/match-rows.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep, temporaryDir } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { withInfo } from "../support/with-info.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Cut {
  readonly graph: ArtifactDir;
  readonly parts: ArtifactDir;
}

interface State {
  /** Ids in the order of the file */
  readonly ids: readonly string[];
  readonly edges: readonly (readonly [string, string])[];
}

const number = (id: string) => Number(id.replace(/\D/g, ""));
const featuresOf = (id: string) => [Math.sin(number(id)), (number(id) % 5) / 4].map((x) => Number(x.toFixed(3)));
const ring = (ids: readonly string[], step: number) => ids.map((id, i) => [id, ids[(i + step) % ids.length]!] as const);

/** Text ids on one side and whole numbers on the other: both ways in which ids are stored. */
function states(idOf: (node: number) => string): { readonly before: State; readonly after: State } {
  const ids = Array.from({ length: 30 }, (_, node) => idOf(node));
  const fresh = Array.from({ length: 7 }, (_, node) => idOf(100 + node));
  const edges = [...ring(ids, 1), ...ring(ids, 4)];
  // Nodes come and go, and all others are counted otherwise.
  const later = [...fresh, ...ids.toReversed()].filter((id) => id !== idOf(3));
  const kept = edges.filter((ends) => !ends.includes(idOf(3)));
  const further = fresh.map((id, i) => [id, ids[5 * (i % 4)]!] as const);
  return { before: { ids, edges }, after: { ids: later, edges: [...further, ...kept] } };
}

async function cutOf({ ids, edges }: State, numParts: number, hasFeatures = true): Promise<Cut> {
  const nodes = ids.map((id) => [
    id,
    ...featuresOf(id),
    `c${number(id) % 3}`,
    ["train", "val", "test"][number(id) % 3],
  ]);
  const files = await filesArtifact({
    "nodes.csv": `id,x,y,label,split\n${nodes.map((row) => row.join(",")).join("\n")}\n`,
    "edges.csv": `src,dst\n${edges.map((ends) => ends.join(",")).join("\n")}\n`,
  });
  const graph = await runStep(
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: {
        files: ["nodes.csv"],
        id: "id",
        label: "label",
        split: "split",
        ...(hasFeatures && { features: { columns: ["x", "y"] } }),
      },
    },
  );
  const cut = { partition: { type: "random", options: { numParts } }, split: { type: "column" } };
  return { graph, parts: await runStep(partitionStep, { graph }, cut) };
}

const dim = 4;
const sage = {
  task: { target: "label" },
  features: { embedding: { dim } },
  model: { type: "sage", options: { hiddenFeats: 5, numLayers: 2, dropout: 0 } },
  sampling: { type: "full" },
  train: { epochs: 3, batchSize: 8 },
};

async function idsOf({ graph, parts }: Cut): Promise<string[]> {
  const { values: nodeMap } = await readNpy(join(parts.dir, "node_map.npy"), "int32");
  const stored = await openNodeIds(graph);
  const ids = idTexts(await stored.read(0, nodeMap.length));
  await stored.close();
  return Array.from(nodeMap, (node) => ids[node]!);
}

/** Learned rows by id, read without anything that the engine says of them. */
async function rowsById(trainedOn: Cut, model: ArtifactDir): Promise<Map<string, number[]>> {
  const { values } = await readNpy(join(model.dir, "node_embedding.npy"), "float32");
  const ids = await idsOf(trainedOn);
  return new Map(ids.map((id, row) => [id, [...values.subarray(row * dim, (row + 1) * dim)]]));
}

const plus = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + b[i]!);

/** GraphSAGE with the mean of all in-neighbours, written out over rows by id. */
async function denseSage(model: ArtifactDir, { ids, edges }: State, inputs: ReadonlyMap<string, readonly number[]>) {
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
  const times = (row: readonly number[], name: string) => {
    const { shape, values } = tensors.get(name)!;
    const width = shape[1] as number;
    return Array.from({ length: width }, (_, j) => row.reduce((sum, x, i) => sum + x * values[i * width + j]!, 0));
  };
  const neighbors = new Map(ids.map((id) => [id, [] as string[]]));
  for (const [src, dst] of edges) {
    neighbors.get(src)!.push(dst);
    neighbors.get(dst)!.push(src);
  }
  let rows = inputs;
  for (const layer of [0, 1]) {
    const bias = [...tensors.get(`layers.${layer}.bias`)!.values];
    const next = ids.map((id) => {
      const around = neighbors.get(id)!;
      const zero = rows.get(id)!.map(() => 0);
      const sum = around.reduce((total, other) => plus(total, rows.get(other)!), zero);
      const mean = sum.map((x) => x / Math.max(1, around.length));
      const own = times(rows.get(id)!, `layers.${layer}.weightSelf`);
      const out = plus(plus(own, times(mean, `layers.${layer}.weightNeigh`)), bias);
      return [id, layer === 0 ? out.map((x) => Math.max(0, x)) : out] as const;
    });
    rows = new Map(next);
  }
  return rows;
}

async function logitsById(cut: Cut, inferred: ArtifactDir): Promise<Map<string, number[]>> {
  const { shape, values } = await readNpy(join(inferred.dir, "logits.npy"), "float32");
  const width = shape[1] as number;
  return new Map((await idsOf(cut)).map((id, row) => [id, [...values.subarray(row * width, (row + 1) * width)]]));
}

function expectClose(found: ReadonlyMap<string, readonly number[]>, expected: ReadonlyMap<string, readonly number[]>) {
  expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [id, row] of expected) {
    for (const [d, value] of row.entries())
      expect(Math.abs(found.get(id)![d]! - value), `${id}, ${d}`).toBeLessThan(1e-5);
  }
}

/** e⁰ + e¹ + e² over 3, where eᵏ⁺¹_v = Σ_u eᵏ_u / √(deg u · deg v). */
function denseLightGcn({ ids, edges }: State, learned: ReadonlyMap<string, readonly number[]>) {
  const both = edges.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
  const degree = new Map(ids.map((id) => [id, both.filter(([, dst]) => dst === id).length]));
  let rows: ReadonlyMap<string, readonly number[]> = new Map(ids.map((id) => [id, learned.get(id) ?? [0, 0, 0, 0]]));
  let sum = rows;
  for (let hop = 0; hop < 2; hop++) {
    const next = new Map(ids.map((id) => [id, [0, 0, 0, 0] as readonly number[]]));
    for (const [src, dst] of both) {
      const scale = 1 / Math.sqrt(degree.get(src)! * degree.get(dst)!);
      next.set(
        dst,
        plus(
          next.get(dst)!,
          rows.get(src)!.map((x) => x * scale),
        ),
      );
    }
    rows = next;
    sum = new Map(ids.map((id) => [id, plus(sum.get(id)!, next.get(id)!)]));
  }
  return new Map([...sum].map(([id, row]) => [id, row.map((x) => x / 3)]));
}

const matchedOn = async (cut: Cut, model: ArtifactDir) => {
  const matchedRows = await runStep(matchRowsStep, { ...cut, model }, {});
  return { matchedRows, info: matchedRowsInfo.parse(matchedRows.manifest.info) };
};

describe.each([
  ["text", (node: number) => `n${node}`],
  ["whole numbers", (node: number) => String(1000 + 7 * node)],
])("learned rows of nodes whose ids are %s, on a newer version", (_name, idOf) => {
  const { before, after } = states(idOf);
  let [old, newer] = [] as unknown as [Cut, Cut];
  let model: ArtifactDir;
  beforeAll(async () => {
    old = await cutOf(before, 2);
    newer = await cutOf(after, 2);
    model = await runStep(trainStep, { ...old }, sage);
  });

  it("are found by id, and others read zeros: what comes of it is a dense pass with rows laid by brute force", async () => {
    const { matchedRows } = await matchedOn(newer, model);
    const inferred = await runStep(inferStep, { parts: newer.parts, model, matchedRows }, {});
    const learned = await rowsById(old, model);
    const inputs = new Map(after.ids.map((id) => [id, [...featuresOf(id), ...(learned.get(id) ?? [0, 0, 0, 0])]]));
    expectClose(await logitsById(newer, inferred), await denseSage(model, after, inputs));
  });

  it("have the same bits on one rank, on two and on two hosts; where each rank holds a part it is as near as ever", async () => {
    const { matchedRows } = await matchedOn(newer, model);
    const inputs = { parts: newer.parts, model, matchedRows };
    const on = (ranks: object, options: object = {}) => runStepRanks(inferStep, inputs, options, ranks);
    const one = await on({ worldSize: 1 });
    const blobsOf = ({ manifest }: ArtifactDir) => manifest.blobs.map(({ sha256 }) => sha256);
    expect(blobsOf(await on({ worldSize: 2 }))).toEqual(blobsOf(one));
    expect(blobsOf(await on({ worldSize: 2, numHosts: 2 }))).toEqual(blobsOf(one));
    const held = await on({ worldSize: 2 }, { graph: "partitioned" });
    expectClose(await logitsById(newer, held), await logitsById(newer, one));
  });

  it("are told apart from nodes that have none, which are counted and named in the order of the dataset", async () => {
    const { matchedRows, info } = await matchedOn(newer, model);
    const unseen = after.ids.filter((id) => !before.ids.includes(id));
    const ingested = await idsInOrder(newer);
    const named = ingested.filter((id) => unseen.includes(id));
    expect(info).toEqual({
      numNodes: 36,
      numKnown: 29,
      numUnseen: 7,
      unseenIds: named.slice(0, 5),
      numUnused: 1,
      withoutRow: "features",
    });
    expect(await readFile(join(matchedRows.dir, "unseen.csv"), "utf8")).toBe(`id\n${named.join("\n")}\n`);
  });

  it("are all known on the graph that they were learned on, where inference has the bits that it had in training", async () => {
    const { matchedRows, info } = await matchedOn(old, model);
    expect([info.numKnown, info.numUnseen, info.numUnused]).toEqual([30, 0, 0]);
    const own = await runStep(inferStep, { parts: old.parts, model }, {});
    const again = await runStep(inferStep, { parts: old.parts, model, matchedRows }, {});
    expect(again.manifest.digest).toBe(own.manifest.digest);
  });
});

/** Papers have features, authors a learned row each. */
async function typedCut(authors: readonly string[], writes: readonly (readonly [string, string])[]): Promise<Cut> {
  const papers = Array.from({ length: 12 }, (_, i) => [101 + i, ...featuresOf(String(i)), `c${i % 2}`, "train"]);
  const files = await filesArtifact({
    "authors.csv": `id\n${authors.join("\n")}\n`,
    "papers.csv": `id,x,y,label,split\n${papers.map((row) => row.join(",")).join("\n")}\n`,
    "writes.csv": `src,dst\n${writes.map((ends) => ends.join(",")).join("\n")}\n`,
  });
  const paper = { files: ["papers.csv"], id: "id", label: "label", split: "split", features: { columns: ["x", "y"] } };
  const writesOf = { files: ["writes.csv"], src: "src", dst: "dst" };
  const spec = {
    nodeTypes: { author: { files: ["authors.csv"], id: "id" }, paper },
    relations: [{ source: "author", name: "writes", target: "paper", ...writesOf }],
  };
  const graph = await runStep(ingestStep, { files }, spec);
  const cut = { partition: { type: "random", options: { numParts: 2 } }, split: { type: "column" } };
  return { graph, parts: await runStep(partitionStep, { graph }, cut) };
}

describe("learned rows of a type without features", () => {
  const authors = Array.from({ length: 8 }, (_, i) => String(i + 1));
  const writes = Array.from({ length: 20 }, (_, i) => [authors[(i * 3) % 8]!, String(101 + ((i * 5) % 12))] as const);
  // An author with the id of a paper: from then on ids have their type before them.
  const later = ["101", ...authors.toReversed().slice(1), "9"];
  const laterWrites = [["101", "103"], ["9", "101"], ...writes.filter(([author]) => author !== "8")] as const;
  const bare = (id: string) => id.replace(/^\w+\//, "");
  const isAuthor = (id: string) => id.startsWith("author/") || Number(id) < 100;
  const training = { task: { target: "label" }, sampling: { type: "full" }, train: { epochs: 2, batchSize: 8 } };

  /** The model as if it were of the newer version, its rows laid by id and zeros in place of those missing. */
  async function laidByHand(model: ArtifactDir, old: Cut, newer: Cut): Promise<ArtifactDir> {
    const { tensors, metadata } = await readSafetensors(join(model.dir, "model.safetensors"));
    const rows = tensors.get("input.rows")!;
    const [, width = 0] = rows.shape;
    const learned = (await idsOf(old)).filter(isAuthor);
    const wanted = (await idsOf(newer)).filter(isAuthor);
    const values = new Float32Array(wanted.length * width);
    for (const [row, id] of wanted.entries()) {
      const at = learned.indexOf(bare(id));
      if (at >= 0) values.set((rows.values as Float32Array).subarray(at * width, (at + 1) * width), row * width);
    }
    const dir = await temporaryDir("laid");
    const laid = { name: "input.rows", shape: [wanted.length, width], values };
    const others = [...tensors.values()].map((each) => (each.name === "input.rows" ? laid : each));
    await writeSafetensors(join(dir, "model.safetensors"), others, metadata);
    const { shape } = readModelInfo(model);
    return { ...withInfo(model, { shape: { ...shape, numLearnedRows: wanted.length }, learnedRows: undefined }), dir };
  }

  it.each(["rsage", "hgt"])(
    "of %s are found by type and id, whether ids have their type before them or not",
    async (type) => {
      const [old, newer] = [await typedCut(authors, writes), await typedCut(later, laterWrites)];
      const options = { hiddenFeats: 8, numLayers: 2, ...(type === "hgt" && { heads: 2 }) };
      const model = await runStep(trainStep, { ...old }, { ...training, model: { type, options } });
      const { matchedRows, info } = await matchedOn(newer, model);
      expect(info).toEqual({
        numNodes: 9,
        numKnown: 7,
        numUnseen: 2,
        unseenIds: ["author/101", "author/9"],
        numUnused: 1,
        withoutRow: "neighbors",
      });
      const unseen = await readFile(join(matchedRows.dir, "unseen.csv"), "utf8");
      expect(unseen).toBe("id,type\nauthor/101,author\nauthor/9,author\n");
      const { parts } = newer;
      const expected = await runStep(inferStep, { parts, model: await laidByHand(model, old, newer) }, {});
      const found = await runStep(inferStep, { parts, model, matchedRows }, {});
      expect(found.manifest.digest).toBe(expected.manifest.digest);
      const held = await runStepRanks(inferStep, { parts, model, matchedRows }, { graph: "partitioned" });
      expectClose(await logitsById(newer, held), await logitsById(newer, expected));
    },
  );
});

async function idsInOrder({ graph }: Cut): Promise<string[]> {
  const stored = await openNodeIds(graph);
  const ids = idTexts(await stored.read(0, (graph.manifest.info as { numNodes: number }).numNodes));
  await stored.close();
  return ids;
}

describe("learned rows alone", () => {
  const { before, after } = states((node) => `n${node}`);
  let [old, newer] = [] as unknown as [Cut, Cut];
  beforeAll(async () => {
    old = await cutOf(before, 1, false);
    newer = await cutOf(after, 1, false);
  });

  const walks = { task: { type: "node2vec", dim, walksPerNode: 2, walkLength: 4, window: 2 } };
  const trainedOn = (cut: Cut, model: object, task: object) =>
    runStep(
      trainStep,
      { ...cut },
      { ...task, model, features: { embedding: { dim } }, train: { epochs: 1, batchSize: 8 } },
    );

  it("of shallow are the embedding itself: a node without one has zeros", async () => {
    const model = await trainedOn(old, { type: "shallow" }, walks);
    const { matchedRows, info } = await matchedOn(newer, model);
    expect(info).toMatchObject({ numKnown: 29, numUnseen: 7, withoutRow: "nothing" });
    const found = await logitsById(newer, await runStep(inferStep, { parts: newer.parts, model, matchedRows }, {}));
    const learned = await rowsById(old, model);
    for (const id of after.ids) expect(found.get(id)).toEqual(learned.get(id) ?? [0, 0, 0, 0]);
  });

  it("of LightGCN are met by neighbours: a node without one is computed from theirs", async () => {
    const { graph } = old;
    const split = { split: { type: "random", val: 0.1, test: 0.1 } };
    const links = await runStep(splitLinksStep, { graph }, split);
    const cut = { partition: { type: "random", options: { numParts: 1 } }, edges: "messages" };
    const parts = await runStep(partitionStep, { graph, links }, cut);
    const model = await runStep(
      trainStep,
      { graph, parts, links },
      {
        task: { type: "linkPrediction", dim },
        model: { type: "lightGcn", options: { numHops: 2 } },
        features: { embedding: { dim } },
        sampling: { type: "full" },
        train: { epochs: 1, batchSize: 8 },
      },
    );
    const { matchedRows, info } = await matchedOn(newer, model);
    expect(info).toMatchObject({ numKnown: 29, numUnseen: 7, withoutRow: "neighbors" });
    const found = await logitsById(newer, await runStep(inferStep, { parts: newer.parts, model, matchedRows }, {}));
    expectClose(found, denseLightGcn(after, await rowsById({ graph, parts }, model)));
  });

  it("of a model that was trained without its graph beside it say nothing of whose they are", async () => {
    const model = await runStep(
      trainStep,
      { parts: old.parts },
      { ...sage, features: { embedding: { dim } }, train: { epochs: 1 } },
    );
    expect(readModelInfo(model).learnedRows).toBeNull();
  });
});

describe("learned rows are refused with what was found, where", () => {
  const { before, after } = states((node) => `n${node}`);
  const strangers = { ids: ["s1", "s2", "s3"], edges: [["s1", "s2"]] } satisfies State;
  const walks = { task: { type: "node2vec", dim, walksPerNode: 2, walkLength: 4, window: 2 } };
  const alone = { ...walks, model: { type: "shallow" }, features: { embedding: { dim } }, train: { epochs: 1 } };
  const models = {} as Record<"alone" | "beside" | "without", ArtifactDir>;
  const graphs = {} as Record<"newer" | "strangers" | "featured" | "featuredStrangers", Cut>;
  beforeAll(async () => {
    const [bare, featured] = [await cutOf(before, 1, false), await cutOf(before, 1)];
    models.alone = await runStep(trainStep, { ...bare }, alone);
    models.beside = await runStep(trainStep, { ...featured }, { ...sage, train: { epochs: 1 } });
    models.without = await runStep(trainStep, { ...featured }, { ...sage, features: {}, train: { epochs: 1 } });
    graphs.newer = await cutOf(after, 1, false);
    graphs.strangers = await cutOf(strangers, 1, false);
    graphs.featured = await cutOf(after, 1);
    graphs.featuredStrangers = await cutOf(strangers, 1);
  });

  const matching = (graph: keyof typeof graphs, model: ArtifactDir) => () => matchedOn(graphs[graph], model);
  const inferring = (graph: keyof typeof graphs, inputs: object) => () =>
    runStep(inferStep, { parts: graphs[graph].parts, ...inputs }, {});

  it.each<[string, () => () => Promise<unknown>, string, RegExp, string | null]>([
    [
      "a graph has not one of the nodes, and the model reads their rows alone",
      () => matching("strangers", models.alone),
      "DATASET_NODE_UNKNOWN",
      /learned rows of 30 nodes, and not one of them is in this graph, whose ids are "s1", "s2", "s3"\./,
      "/dataset",
    ],
    [
      "a graph has not one of the nodes, and the model reads features beside their rows",
      () => matching("featuredStrangers", models.beside),
      "DATASET_NODE_UNKNOWN",
      /whose ids are "s1", "s2", "s3"\. Apply it to data whose nodes have the ids/,
      "/dataset",
    ],
    [
      "an earlier release did not write whose they are",
      () => matching("newer", withInfo(models.alone, { learnedRows: undefined })),
      "SPEC_INVALID",
      /does not say whose its learned rows are.*Train it again/,
      "/model",
    ],
    [
      "the model has none",
      () => matching("featured", models.without),
      "SPEC_INVALID",
      /does not say whose its learned rows are/,
      "/model",
    ],
    [
      "they are not matched with the nodes of another graph",
      () => inferring("newer", { model: models.alone }),
      "SHAPE_MISMATCH",
      /learned rows of 30 nodes and the graph has 36; match the rows/,
      null,
    ],
  ])("%s", async (_what, refused, code, message, pointer) => {
    const expected = { code, message: expect.stringMatching(message), ...(pointer && { place: { pointer } }) };
    await expect(refused()()).rejects.toMatchObject(expected);
  });

  it("they are matched with a graph of another size", async () => {
    const { matchedRows } = await matchedOn(await cutOf(before, 1, false), models.alone);
    const mismatched = runStep(inferStep, { parts: graphs.newer.parts, model: models.alone, matchedRows }, {});
    await expect(mismatched).rejects.toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringMatching(/rows of 30 nodes, and the graph has 36; match them again/),
    });
  });
});
