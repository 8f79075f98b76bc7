import { beforeAll, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { points } from "../../src/dist/points.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkLearning } from "../../src/links/link-task.ts";
import { binaryCrossEntropy } from "../../src/links/losses/binary-cross-entropy.ts";
import { bpr } from "../../src/links/losses/bpr.ts";
import { softmaxLoss } from "../../src/links/losses/softmax.ts";
import { noNegatives } from "../../src/links/negatives/none.ts";
import { sharedTails } from "../../src/links/negatives/shared.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions, TrainerSetup } from "../../src/train/trainer-setup.ts";
import { graphSetOf } from "../../src/whole-graphs/graph-set.ts";
import { meanReadout } from "../../src/whole-graphs/readouts/mean.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { waitsOfSteps } from "../support/waits-of-steps.ts";
import { communityData } from "./support/community-data.ts";

useEmulatedDevice();
beforeAll(() => selectBackend("cuda", emulated));

const [numNodes, dim] = [60, 6];
const train = { epochs: 1, batchSize: 10 };
const sage = { type: "sage", options: { hiddenFeats: 8, numLayers: 2 } };
const fanouts = { type: "neighbor", options: { fanouts: [3, 2] } };
const features = () => new DenseFeatureStore(dim, [randomFloats(numNodes * dim, 3)]);
const nodes = Array.from({ length: numNodes }, (_, node) => node);
/** Sides of things in turn: half of them are learnt from. */
const sides = (count: number) => Int8Array.from({ length: count }, (_, i) => [1, 1, 2, 3][i % 4] as number);

async function ofNodes(options: TrainerOptions): Promise<TrainerSetup> {
  const data = await communityData({ numNodes, numClasses: 3, dim, numTrain: 30 });
  return { data, options: { train, ...options } };
}

/** A ring of two relations, whose nodes know those one and five places on */
function ring() {
  const steps = [1, 5];
  const src = Int32Array.from(steps.flatMap(() => nodes));
  const dst = Int32Array.from(steps.flatMap((step) => nodes.map((node) => (node + step) % numNodes)));
  return { src, dst, relations: Int32Array.from(steps.flatMap((_, relation) => nodes.map(() => relation))) };
}

type Scored = Omit<LinkLearning, "split" | "dim">;

async function ofLinks(scored: Scored | null, options: TrainerOptions = {}): Promise<TrainerSetup> {
  const { src, dst } = ring();
  const split = await splitLinks(
    { src, dst, numNodes, directed: false },
    { sides: { type: "random", val: 0.1, test: 0.1, seed: 0 }, negatives: { perLink: 1, seed: 0 } },
  );
  const negatives = uniformTail({ perLink: 2, seed: 0, seen: split.seen, groups: split.groups });
  const pairs: Scored = { decoder: dotDecoder, loss: binaryCrossEntropy(), negatives };
  return {
    data: { graph: split.graph, features: features(), split: new Int8Array(numNodes) },
    links: { split, dim: 8, ...(scored ?? pairs) },
    options: { model: sage, sampling: fanouts, train, ...options },
  };
}

/** Facts of two relations, of which rows of nodes are learnt */
async function ofFacts(scored: Partial<LinkLearning>): Promise<TrainerSetup> {
  const split = await splitLinks(
    { ...ring(), numNodes, numRelations: 2, directed: true },
    { sides: { type: "random", val: 0.1, test: 0.1, seed: 1 }, negatives: { perLink: 1, seed: 0 } },
  );
  return {
    data: { graph: split.graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) },
    links: { split, dim: 8, decoder: distMultDecoder, loss: softmaxLoss(), negatives: noNegatives(), ...scored },
    options: { model: { type: "shallow" }, features: learned, train },
  };
}
const learned = { embedding: { dim: 8, optimizer: { type: "sparseAdam" } } } as const;

/** Links by time, of which nothing later is drawn */
async function ofTimes(): Promise<TrainerSetup> {
  const { src, dst } = ring();
  const split = await splitLinks(
    { src, dst, numNodes, directed: false },
    {
      sides: { type: "time", times: [...src.keys()], val: 0.1, test: 0.1 },
      negatives: { perLink: 1, seed: 0 },
    },
  );
  const negatives = uniformTail({ perLink: 1, seed: 0, seen: split.seen, groups: split.groups });
  return {
    data: { graph: split.graph, features: features(), split: new Int8Array(numNodes) },
    links: { split, dim: 8, decoder: dotDecoder, loss: binaryCrossEntropy(), negatives },
    options: { model: sage, sampling: { type: "temporal", options: { fanouts: [3, 2] } }, train },
  };
}

async function ofEdges(): Promise<TrainerSetup> {
  const { src, dst, relations } = ring();
  const edges = { src, dst, features: randomFloats(src.length * 2, 5), featureDim: 2, directed: true };
  const data = await communityData({ numNodes, numClasses: 3, dim, numTrain: 30 });
  const goal = { type: "classification", labels: relations, numClasses: 2 } as const;
  const learnt = { edges, split: sides(src.length), goal, dim: 8 };
  return { data, edges: learnt, options: { model: sage, sampling: fanouts, train } };
}

const listed = (ends: readonly (readonly [number, number])[]) => ({
  src: ends.map(([from]) => from),
  dst: ends.map(([, to]) => to),
});

/** Rings of six nodes, every second one with a chord; typed: these are edges of another type */
async function ofGraphs(model: TrainerOptions["model"], isTyped = false): Promise<TrainerSetup> {
  const numGraphs = 40;
  const graphOf = Array.from({ length: 6 * numGraphs }, (_, node) => Math.floor(node / 6));
  const ends = graphOf.map((graph, node) => [node, 6 * graph + ((node + 1) % 6)] as const);
  const chords = Array.from({ length: numGraphs / 2 }, (_, i) => [12 * i, 12 * i + 3] as const);
  const whole = await graphSetOf({ graphOf, ...listed([...ends, ...chords]), directed: false });
  const typed = { numNodes: graphOf.length, relations: { ring: listed(ends), chord: listed(chords) } };
  const set = isTyped ? { ...whole, graph: await graphFromRelations(typed) } : whole;
  const labels = Int32Array.from({ length: numGraphs }, (_, graph) => graph % 2);
  const store = new DenseFeatureStore(2, [randomFloats(graphOf.length * 2, 3)]);
  return {
    data: { graph: set.graph, features: store, split: new Int8Array(graphOf.length) },
    graphs: {
      set,
      split: sides(numGraphs),
      goal: { type: "classification", labels, numClasses: 2 },
      dim: 8,
      readout: meanReadout,
    },
    options: { model, train: { epochs: 1, batchSize: 5 } },
  };
}

async function ofRelations(type: string): Promise<TrainerSetup> {
  const { src, dst, relations } = ring();
  const edgesOf = (relation: number) => {
    const places = [...src.keys()].filter((i) => relations[i] === relation);
    return { src: places.map((i) => src[i] as number), dst: places.map((i) => dst[i] as number) };
  };
  return {
    data: {
      graph: await graphFromRelations({ numNodes, relations: { near: edgesOf(0), far: edgesOf(1) } }),
      features: features(),
      labels: Int32Array.from(nodes, (node) => node % 3),
      numClasses: 3,
      split: sides(numNodes),
    },
    options: {
      task: { type: "nodeClassification", target: "label" },
      model: { type, options: { hiddenFeats: 8, numLayers: 2 } },
      sampling: { type: "full" },
      train,
    },
  };
}

const shared = () => sharedTails({ perLink: 12, seed: 0, numNodes });
const ofShared = { decoder: dotDecoder, negatives: noNegatives() } as const;
const untaught = {
  model: { type: "gcn", options: { numLayers: 1 } },
  sampling: { ...fanouts, options: { fanouts: [3] } },
};
const walks = { type: "node2vec", dim: 8, walkLength: 4, walksPerNode: 2, window: 2 };
const node = { type: "nodeClassification", target: "label" };

test.each<[string, () => Promise<TrainerSetup>]>([
  ["classes of nodes, sampled by the device", () => ofNodes({ task: node, model: sage, sampling: fanouts })],
  ["classes of nodes, sampled by the host", () => ofNodes({ task: node, model: sage, sampling: { type: "full" } })],
  ["nodes of typed graphs, by R-GCN", () => ofRelations("rgcn")],
  ["nodes of typed graphs, by HGT", () => ofRelations("hgt")],
  ["links and negatives of each", () => ofLinks(null)],
  ["links and what they share, by a softmax", () => ofLinks({ ...ofShared, shared: shared(), loss: softmaxLoss() })],
  ["links and what they share, by each", () => ofLinks({ ...ofShared, shared: shared(), loss: bpr() })],
  [
    "links by LightGCN",
    () => ofLinks(null, { model: { type: "lightGcn" }, sampling: { type: "full" }, features: learned }),
  ],
  ["links in the order of time", ofTimes],
  ["facts, each among all nodes", () => ofFacts({ oneVsAll: { labelSmoothing: 0.1 } })],
  [
    "facts, all of a question among all nodes",
    () => ofFacts({ kVsAll: { each: "binaryCrossEntropy", labelSmoothing: 0.1 } }),
  ],
  ["classes of edges", ofEdges],
  ["classes of whole graphs", () => ofGraphs({ type: "gin", options: { hiddenFeats: 8, numLayers: 2 } })],
  ["classes of whole typed graphs", () => ofGraphs({ type: "rgcn", options: { hiddenFeats: 8 } }, true)],
  ["Deep Graph Infomax", () => ofNodes({ ...untaught, task: { type: "deepGraphInfomax", dim: 8 } })],
  ["GRACE", () => ofNodes({ ...untaught, task: { type: "grace", dim: 8 } })],
  ["node2vec", () => ofNodes({ task: walks, model: { type: "shallow" }, features: learned })],
])("no step waits for the device, and none runs a stock kernel: %s", async (_title, setup) => {
  const cuda = activeCuda() as CudaBackend;
  const trainer = await Trainer.create({ threads: 1, ...(await setup()) });
  const stock: number[] = [];
  const note = () => {
    stock.push([...cuda.scriptKernels.values()].reduce((sum, count) => sum + count, 0));
  };
  points.sampled.subscribe(note);
  const waits = await waitsOfSteps(() => trainer.fit()).finally(() => points.sampled.unsubscribe(note));
  trainer.dispose();
  expect(waits.length).toBeGreaterThan(2);
  expect(new Set(waits).size).toBe(1);
  expect(new Set(stock).size).toBe(1);
});

test("edges are sorted by relation ahead of their step, and no step sorts them", async () => {
  const addon = loadAddon();
  const kernels = {
    relationsByDst: addon.relationsByDst.bind(addon),
    relationsBySrc: addon.relationsBySrc.bind(addon),
    sortRelations: addon.sortRelations.bind(addon),
  };
  const counts = { inSteps: 0, ahead: 0 };
  const counted = <Given extends unknown[], Result>(name: keyof typeof counts, kernel: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      counts[name] += 1;
      return kernel(...given);
    };
  };
  Object.assign(addon, {
    relationsByDst: counted("inSteps", kernels.relationsByDst),
    relationsBySrc: counted("inSteps", kernels.relationsBySrc),
    sortRelations: counted("ahead", kernels.sortRelations),
  });
  const seen: { inSteps: number }[] = [];
  const note = () => {
    seen.push({ ...counts });
  };
  points.sampled.subscribe(note);
  const trainer = await Trainer.create({ threads: 1, ...(await ofRelations("rgcn")) });
  try {
    await trainer.fit();
  } finally {
    points.sampled.unsubscribe(note);
    trainer.dispose();
    Object.assign(addon, kernels);
  }
  expect(seen.at(-1)).toMatchObject({ inSteps: 0 });
  // Two layers of each of three steps
  expect(counts.ahead).toBe(6);
});
