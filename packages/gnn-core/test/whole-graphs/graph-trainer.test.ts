import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { splitCode } from "../../src/graph/split-nodes.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import type { FitOptions, FitResult } from "../../src/train/fit-options.ts";
import type { InferredGraphs } from "../../src/train/infer-graphs.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions, TrainerSetup } from "../../src/train/trainer-setup.ts";
import { graphSetOf } from "../../src/whole-graphs/graph-set.ts";
import type { GraphLearning } from "../../src/whole-graphs/graph-task.ts";
import { attentionReadout } from "../../src/whole-graphs/readouts/attention.ts";
import { meanReadout } from "../../src/whole-graphs/readouts/mean.ts";
import { sumReadout } from "../../src/whole-graphs/readouts/sum.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { artifactOf } from "../train/support/checkpoint-artifact.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000 });

const numGraphs = 60;
let given: { readonly data: TrainerSetup["data"]; readonly graphs: GraphLearning };

const { train: inTrain, val: inVal, test: inTest } = splitCode;
/** Both classes, which take turns, are on each side. */
const sides = [inTrain, inTrain, inVal, inTest, inTest, inVal, inTrain, inTrain];

/** Rings of 4 to 9 nodes, every second one with chords: nothing but the edges tells the classes apart. */
beforeAll(async () => {
  const random = seededRandom(9);
  const [graphOf, src, dst]: number[][] = [[], [], []];
  const labels = new Int32Array(numGraphs);
  for (let g = 0; g < numGraphs; g++) {
    const first = graphOf!.length;
    const size = 4 + Math.floor(random() * 6);
    labels[g] = g % 2;
    for (let i = 0; i < size; i++) {
      graphOf!.push(g);
      src!.push(first + i);
      dst!.push(first + ((i + 1) % size));
      // Graphs of class 1 have chords.
      if (labels[g] === 1 && i % 2 === 0) {
        src!.push(first + i);
        dst!.push(first + ((i + 2) % size));
      }
    }
  }
  const set = await graphSetOf({ graphOf: graphOf!, src: src!, dst: dst!, directed: false });
  const split = Int8Array.from(labels, (_, g) => sides[g % sides.length]!);
  const values = Float32Array.from({ length: set.graph.numNodes * 2 }, (_, i) => (i % 2 === 0 ? 1 : random()));
  given = {
    data: {
      graph: set.graph,
      features: new DenseFeatureStore(2, [values]),
      split: new Int8Array(set.graph.numNodes),
    },
    graphs: {
      set,
      split,
      goal: { type: "classification", labels, numClasses: 2 },
      dim: 16,
      readout: sumReadout,
    },
  };
});

const options: TrainerOptions = {
  model: { type: "gin", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.1, inputDropout: 0 } },
  train: { epochs: 30, batchSize: 8, optimizer: { type: "adam", options: { lr: 0.01 } } },
};

interface Run {
  readonly result: FitResult;
  readonly events: readonly StepEvent[];
  readonly rows: InferredGraphs;
}

/** Trains with some ranks in this process. */
async function trainGraphs(setup: Partial<TrainerSetup>, worldSize: number, fit: FitOptions = {}): Promise<Run[]> {
  const sharedRows = sharedRowsInMemory();
  return Promise.all(
    loopbackGroup(worldSize).map(async (collective, rank) => {
      const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
      const trainer = await Trainer.create({ options, ...given, ...setup, rank: context, sharedRows });
      const events: StepEvent[] = [];
      const result = await trainer.fit({ ...fit, onEvent: (event) => events.push(event) });
      const rows = await trainer.inferGraphs();
      trainer.dispose();
      return { result, events, rows };
    }),
  );
}

function lossesOf({ events }: Pick<Run, "events">): number[] {
  return events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
}

test("learns what only edges tell, and the outputs of all graphs are those that the metrics were counted by", async () => {
  const [run] = await trainGraphs({}, 1);
  const losses = lossesOf(run!);
  expect(losses).toHaveLength(30);
  expect(losses.at(-1)!).toBeLessThan(losses[0]! / 2);
  const { metrics, confusion } = run!.result;
  expect(metrics["test/accuracy"]).toBeGreaterThan(0.9);
  expect(confusion).toHaveLength(2);
  const { split, goal } = given.graphs;
  const labels = goal.type === "classification" ? goal.labels : new Int32Array();
  const { outputs, embeddings } = run!.rows;
  expect(embeddings).toHaveLength(16 * numGraphs);
  const tested = [...split.keys()].filter((g) => split[g] === splitCode.test);
  const right = tested.filter((g) => Number(outputs[2 * g + 1]! > outputs[2 * g]!) === labels[g]);
  expect(right.length / tested.length).toBeCloseTo(metrics["test/accuracy"]!, 6);
});

test.each([
  ["the rows as they are", {}],
  ["statistics of the batch", { norm: "batch" }],
])("two ranks have one rank's losses, metrics and rows, with %s", async (_name, model) => {
  const graphs = { ...given.graphs, readout: [sumReadout, attentionReadout], dropout: 0.2 };
  // Adam would enlarge the rounding of gradients that batch normalisation makes zero.
  const optimizer = { type: "sgd", options: { lr: 0.01 } } as const;
  const train = { epochs: 4, batchSize: 8, optimizer, gradClipNorm: 1 };
  const chosen = { type: "gin", options: { ...options.model?.options, ...model } };
  const setup = { graphs, options: { model: chosen, train } };
  const [one] = await trainGraphs(setup, 1);
  const two = await trainGraphs(setup, 2);
  for (const [epoch, loss] of lossesOf(two[0]!).entries()) {
    expect(Math.abs(loss / lossesOf(one!)[epoch]! - 1)).toBeLessThan(1e-5);
  }
  expect(two[1]!.result).toEqual(two[0]!.result);
  expect(two[1]!.rows).toEqual(two[0]!.rows);
  for (const [name, value] of Object.entries(one!.result.metrics)) {
    expect(two[0]!.result.metrics[name]).toBeCloseTo(value!, 3);
  }
});

test("numbers of graphs are learnt, and told in their own units", async () => {
  const { set, split } = given.graphs;
  const [part] = set.graph.parts;
  const edges = (node: number) => Number(part!.indptr[node]!);
  const degrees = Float32Array.from({ length: numGraphs }, (_, g) => {
    const [first, end] = [set.offsets[g]!, set.offsets[g + 1]!];
    return 100 + (10 * (edges(end) - edges(first))) / (end - first);
  });
  const goal = { type: "regression", targets: { names: ["degree"], values: degrees } } as const;
  const graphs = { ...given.graphs, goal, readout: meanReadout, hiddenFeats: 0 };
  const model = { type: "gin", options: { hiddenFeats: 16, numLayers: 1, dropout: 0 } };
  const train = { ...options.train, optimizer: { type: "adam", options: { lr: 0.05 } } } as const;
  const [run] = await trainGraphs({ graphs, options: { model, train } }, 1);
  expect(run!.result.metrics["test/r2"]!).toBeGreaterThan(0.8);
  const tested = [...split.keys()].filter((g) => split[g] === splitCode.test);
  const errors = tested.map((g) => Math.abs(run!.rows.outputs[g]! - degrees[g]!));
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeCloseTo(
    run!.result.metrics["test/mae"]!,
    3,
  );
});

test("a run goes on after a checkpoint with the bits it would have had, and another readout refuses it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-graphs-"));
  try {
    const shorter = { options: { ...options, train: { ...options.train, epochs: 4 } } };
    const [whole] = await trainGraphs(shorter, 1, { checkpointDir: dir });
    const checkpoints = whole!.events.filter((event) => event.type === "checkpoint");
    const resume = artifactOf(checkpoints.find(({ epoch }) => epoch === 2)!);
    const [resumed] = await trainGraphs(shorter, 1, { resume });
    expect(lossesOf(resumed!)).toEqual(lossesOf(whole!).slice(2));
    expect(resumed!.rows).toEqual(whole!.rows);
    const others = { ...given.graphs, readout: attentionReadout };
    await expect(trainGraphs({ ...shorter, graphs: others }, 1, { resume })).rejects.toMatchObject({
      code: "CHECKPOINT_INVALID",
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

const labelled = (labels: Int32Array) => ({ goal: { type: "classification", labels, numClasses: 2 } }) as const;
const refusals: readonly (readonly [string, () => Partial<TrainerSetup>, string])[] = [
  [
    "one class only",
    () => ({ graphs: { ...given.graphs, ...labelled(new Int32Array(numGraphs)) } }),
    "/graphs/goal/labels",
  ],
  [
    "a label too high",
    () => ({ graphs: { ...given.graphs, ...labelled(new Int32Array(numGraphs).fill(2)) } }),
    "/graphs/goal/labels",
  ],
  [
    "labels of other graphs",
    () => ({ graphs: { ...given.graphs, ...labelled(new Int32Array(3)) } }),
    "/graphs/goal/labels",
  ],
  ["a split of other graphs", () => ({ graphs: { ...given.graphs, split: new Int8Array(3) } }), "/graphs/split"],
  ["no readout", () => ({ graphs: { ...given.graphs, readout: [] } }), "/graphs/readout"],
  ["a sampler", () => ({ options: { ...options, sampling: { type: "neighbor" } } }), "/sampling"],
  ["a task of nodes", () => ({ options: { ...options, task: { type: "nodeClassification" } } }), "/task"],
  ["learned rows", () => ({ options: { ...options, features: { embedding: { dim: 4 } } } }), "/features/embedding"],
  [
    "columns made from the edges of one graph",
    () => ({ options: { ...options, features: { structural: {} } } }),
    "/features/structural/method",
  ],
  ["another graph", () => ({ data: { ...given.data, graph: { ...given.data.graph } } }), "/graphs/set"],
];

test.each(refusals)("%s is refused with its place", async (_name, setup, pointer) => {
  await expect(Trainer.create({ options, ...given, ...setup() })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer },
  });
});

test("graphs of no label to learn from are nothing to train on", async () => {
  const graphs = { ...given.graphs, ...labelled(new Int32Array(numGraphs).fill(-1)) };
  await expect(Trainer.create({ options, ...given, graphs })).rejects.toMatchObject({ code: "TRAIN_NO_LABELS" });
});
