import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { trainedOn } from "../support/all-modes.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { seededRandom } from "../support/seeded-random.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const [numUsers, numItems] = [30, 90];

/**
 * An item is of the class of the users that like it, and as many of the other class hate it: whoever takes all users
 * alike sees the same of every item.
 */
function files(): Record<string, string> {
  const random = seededRandom(8);
  const userOf = (group: number) => `u${2 * Math.floor((random() * numUsers) / 2) + group}`;
  const users = Array.from({ length: numUsers }, (_, i) => `u${i},user,,none,${i % 2},${1 - (i % 2)}`);
  const items = Array.from({ length: numItems }, (_, i) => {
    const split = ["train", "train", "val", "test"][i % 4];
    return `i${i},item,${i % 3 === 0 ? "good" : "bad"},${split},0,0`;
  });
  const edges = Array.from({ length: numItems }, (_, i) => {
    const group = i % 3 === 0 ? 1 : 0;
    return [1, 2].flatMap(() => [`${userOf(group)},i${i},likes`, `${userOf(1 - group)},i${i},hates`]);
  }).flat();
  return {
    "nodes.csv": ["id,kind,label,split,a,b", ...users, ...items].join("\n"),
    "edges.csv": ["from,to,rel", ...edges].join("\n"),
  };
}

const spec = {
  edges: { files: ["edges.csv"], src: "from", dst: "to", type: "rel", reverseTypes: true },
  nodes: {
    files: ["nodes.csv"],
    id: "id",
    type: "kind",
    label: "label",
    split: "split",
    features: { columns: ["a", "b"] },
  },
};
const partition = { partition: { type: "random", options: { numParts: 2 } } };
const options = (type: string, more: object = {}) => ({
  task: { target: "label" },
  model: { type, options: { hiddenFeats: 8, dropout: 0, ...more } },
  sampling: { type: "neighbor", options: { fanouts: [4, 4], perRelation: true } },
  train: { epochs: 12, batchSize: 16, optimizer: { options: { lr: 0.05 } } },
});

let graph: ArtifactDir;
let parts: ArtifactDir;

beforeAll(async () => {
  graph = await runStep(ingestStep, { files: await filesArtifact(files()) }, spec);
  parts = await runStep(partitionStep, { graph }, partition);
});

interface Trained {
  readonly model: ArtifactDir;
  readonly losses: readonly number[];
}

async function train(chosen: object, worldSize = 1): Promise<Trained> {
  const events: StepEvent[] = [];
  const onEvent = (event: StepEvent) => events.push(event);
  const model = await runStepRanks(trainStep, { parts }, chosen, { worldSize, onEvent });
  const losses = events.flatMap((event) => {
    const loss = event.type === "metrics" && event.axis === "epoch" ? event.values["train/loss"] : undefined;
    return typeof loss === "number" ? [loss] : [];
  });
  return { model, losses };
}

test("edges that lead back are of types of their own, and the parts' columns are sorted by type", () => {
  expect(graph.manifest.info).toMatchObject({
    edgeTypes: ["hates", "likes", "rev_hates", "rev_likes"],
    directed: false,
  });
  const { graph: cut } = loadParts(parts);
  expect(cut.relations).toEqual(["hates", "likes", "rev_hates", "rev_likes"]);
  expect(cut.nodeTypes?.names).toEqual(["item", "user"]);
  const isUser = (node: number) => cut.nodeTypes?.codes[node] === 1;
  for (const { firstNode, numNodes, indptr, indices, types } of cut.parts) {
    for (let v = 0; v < numNodes; v++) {
      const [begin, end] = [Number(indptr[v]), Number(indptr[v + 1])];
      const column = types!.subarray(begin, end);
      expect(column).toEqual(column.toSorted());
      // Users rate items; only the reverse of that leads to a user.
      expect(column.every((type) => type >= 2 === isUser(firstNode + v))).toBe(true);
      expect(indices.subarray(begin, end).every((src) => isUser(src) !== isUser(firstNode + v))).toBe(true);
    }
  }
});

const models = [
  ["rgcn", { decomposition: "none" }],
  ["rgcn", { decomposition: "basis", numBases: 2 }],
  ["rgcn", { decomposition: "blocks", numBases: 2 }],
  ["rsage", {}],
  ["rgat", { heads: 2 }],
  ["rgat", { heads: 2, softmax: "acrossRelations" }],
  ["simpleHgn", { heads: 2, relationDim: 4 }],
  ["hgt", { heads: 2 }],
] as const;

test.each(models)("%s %o tells likes from hates, which a model without relations cannot", async (type, more) => {
  const { model } = await train(options(type, more));
  expect((model.manifest.info["metrics"] as Record<string, number>)["test/accuracy"]).toBeGreaterThan(0.95);
});

test("sage, to which all edges are alike, sees the same of every item", async () => {
  const untyped = { ...options("sage"), sampling: { type: "neighbor", options: { fanouts: [-1, -1] } } };
  const { model } = await train(untyped);
  expect((model.manifest.info["metrics"] as Record<string, number>)["test/accuracy"]).toBeLessThan(0.75);
});

// Vectors that score the receiving node hardly matter to a softmax over its edges: Adam makes steps of their rounding.
const gentle = { type: "sgd", options: { lr: 0.5 } };

test.each([
  ["rsage", {}],
  ["rgat", { optimizer: gentle }],
  ["simpleHgn", { optimizer: gentle }],
  ["hgt", { optimizer: gentle }],
] as const)(
  "%s learns on two ranks what it learns on one, and inference gives the metrics of training",
  async (type, more) => {
    const given = options(type);
    const chosen = { ...given, train: { ...given.train, ...more } };
    const [one, two] = [await train(chosen), await train(chosen, 2)];
    expect(one.losses).toHaveLength(12);
    two.losses.forEach((loss, epoch) => expect(Math.abs(loss - one.losses[epoch]!)).toBeLessThan(1e-5));
    const metricsOf = ({ model }: Trained) => Object.entries(model.manifest.info["metrics"] as Record<string, number>);
    const found = new Map(metricsOf(two));
    for (const [name, value] of metricsOf(one)) expect(found.get(name), name).toBeCloseTo(value, 5);
    const rows = await Promise.all(
      [1, 2].map(async (worldSize) => {
        const inferred = await runStepRanks(inferStep, { parts, model: two.model }, {}, { worldSize });
        const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
        const { values } = await readNpy(join(remapped.dir, "logits.npy"), "float32");
        return { values, metrics: remapped.manifest.info["metrics"] as Record<string, number> };
      }),
    );
    expect(rows[1]!.values).toEqual(rows[0]!.values);
    const trained = two.model.manifest.info["metrics"] as Record<string, number>;
    expect(rows[0]!.metrics["test/accuracy"]).toBeCloseTo(trained["test/accuracy"]!, 6);
  },
);

test("a model of relations on a graph whose edges are all alike is refused, and so is a sampler that forgets them", async () => {
  const { type: _, reverseTypes: __, ...edges } = spec.edges;
  const plain = await runStep(ingestStep, { files: await filesArtifact(files()) }, { ...spec, edges });
  const alike = await runStep(partitionStep, { graph: plain }, partition);
  const uniform = { type: "neighbor", options: { fanouts: [4, 4] } };
  await expect(
    runStepRanks(trainStep, { parts: alike }, { ...options("rgcn"), sampling: uniform }, { worldSize: 1 }),
  ).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/model/type" } });
  await expect(
    train({ ...options("rgcn"), sampling: { type: "labor", options: { fanouts: [4, 4] } } }),
  ).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/sampling/type" },
  });
});

test("reverse types are refused where no edge leads back, or where the files have their names already", async () => {
  const artifact = await filesArtifact(files());
  await expect(runStep(ingestStep, { files: artifact }, { ...spec, directed: true })).rejects.toThrow(/reverseTypes/);
  const taken = { ...files(), "edges.csv": "from,to,rel\nu1,i1,likes\nu2,i2,rev_likes\n" };
  await expect(runStep(ingestStep, { files: await filesArtifact(taken) }, spec)).rejects.toMatchObject({
    code: "DATASET_VALUE_INVALID",
    place: { file: "edges.csv" },
  });
});

test("hgt tells likes from hates on the batches of HGSampling, which sampler processes draw alike", async () => {
  const sampling = { type: "hgSampling", options: { nodesPerType: [12, 12] } };
  const chosen = { ...options("hgt"), sampling };
  const found = await trainedOn({ parts }, chosen);
  expect(found.metrics["test/accuracy"]).toBeGreaterThan(0.95);
  expect(await trainedOn({ parts }, chosen, { samplers: 1 })).toEqual(found);
});
