import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir } from "../../src/index.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { expectAlikeInAllModes } from "../support/all-modes.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { seededRandom } from "../support/seeded-random.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numNodes = 90;
const numGroups = 6;
const random = seededRandom(5);
/** Nodes of one group are often linked, others seldom; every third row is there again, turned around. */
const edgeRows = Array.from({ length: numNodes }, (_, a) =>
  Array.from({ length: numNodes - a - 1 }, (_node, i) => a + i + 1)
    .filter((b) => random() < (a % numGroups === b % numGroups ? 0.4 : 0.02))
    .flatMap((b) => [`n${a},n${b},${1 + (b % 3)},r${b % 2}`, ...(b % 3 === 0 ? [`n${b},n${a},2,r${b % 2}`] : [])]),
).flat();
const nodeRows = Array.from({ length: numNodes }, (_, node) => {
  const hints = Array.from({ length: numGroups }, (_hint, group) => random() + (node % numGroups === group ? 1 : 0));
  return `n${node},${node % 2 === 0 ? "user" : "item"},g${node % 2},${["train", "train", "val", "test"][node % 4]},${hints.map((hint) => hint.toFixed(3)).join(",")}`;
});
const columns = Array.from({ length: numGroups }, (_, i) => `f${i}`);
const files = {
  "edges.csv": `src,dst,weight,rel\n${edgeRows.join("\n")}\n`,
  "nodes.csv": `id,kind,label,split,${columns.join(",")}\n${nodeRows.join("\n")}\n`,
};
const edges = { files: ["edges.csv"], src: "src", dst: "dst" };
const nodes = { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns } };

type Prepared = Record<string, ArtifactDir>;

async function prepare(spec: object, split: object | null): Promise<Prepared> {
  const graph = await runStep(ingestStep, { files: await filesArtifact(files) }, spec);
  const partition = { type: "random", options: { numParts: 4 } };
  if (split === null) return { parts: await runStep(partitionStep, { graph }, { partition }) };
  const links = await runStep(splitLinksStep, { graph }, split);
  return { links, parts: await runStep(partitionStep, { graph, links }, { partition, edges: "messages" }) };
}

const task = { type: "linkPrediction", split: { type: "random", val: 0.1, test: 0.2 }, dim: 8 };
const train = { epochs: 3, batchSize: 40, optimizer: { options: { lr: 0.02 } } };
const neighbor = { type: "neighbor", options: { fanouts: [3, 3] } };
const layers = { hiddenFeats: 8, numLayers: 2, dropout: 0.2 };
const shared = { negatives: { type: "shared", perLink: 12 }, loss: { type: "softmax" } };

describe("links have one loss curve and one set of metrics in all modes", () => {
  let plain: Prepared;
  let weighted: Prepared;
  beforeAll(async () => {
    plain = await prepare({ edges, nodes }, { split: task.split });
    weighted = await prepare({ edges: { ...edges, weight: "weight", type: "rel" }, nodes }, { split: task.split });
  });

  test("with drawn neighbours", async () => {
    await expectAlikeInAllModes(plain, { task, model: { type: "sage", options: layers }, sampling: neighbor, train });
  });

  test("with degrees, from which hidden links are taken, of edges with weights in columns of two relations", async () => {
    await expectAlikeInAllModes(weighted, { task, model: { type: "gcn", options: layers }, sampling: neighbor, train });
  });

  test("with learned rows alone, ranked among all nodes, and nodes that all links of a step are told from", async () => {
    const lightGcn = {
      task: { ...task, ...shared, rankAmong: "allNodes" },
      model: { type: "lightGcn", options: { numHops: 2 } },
      features: { embedding: { dim: 8 } },
      sampling: { type: "full" },
      train,
    };
    const { metrics } = await expectAlikeInAllModes(plain, lightGcn);
    expect(metrics["test/filteredMrr"]).toBeGreaterThan(0);
  });

  test("told from all nodes, whose rows every step computes", async () => {
    const oneVsAll = { ...task, loss: { type: "oneVsAll" }, decoder: { type: "dot" } };
    await expectAlikeInAllModes(plain, {
      task: oneVsAll,
      model: { type: "sage", options: layers },
      sampling: { type: "full" },
      train,
    });
  });

  test("where some links carry messages alone, which are no negatives either", async () => {
    const apart = await prepare({ edges, nodes }, { split: task.split, disjoint: 0.5 });
    const disjoint = { ...task, disjoint: 0.5, negatives: { type: "byDegree", perLink: 4 } };
    await expectAlikeInAllModes(apart, {
      task: disjoint,
      model: { type: "gcn", options: layers },
      sampling: neighbor,
      train,
    });
  });

  test("as triples of a graph with relations, which models without messages learn", async () => {
    const split = { split: task.split, relations: "each" };
    const triples = await prepare({ edges: { ...edges, type: "rel" }, nodes, directed: true }, split);
    const decoder = { type: "complEx" };
    const shallow = { model: { type: "shallow" }, features: { embedding: { dim: 8 } }, train };
    const facts = { ...task, relations: "each", rankAmong: "allNodes", decoder };
    await expectAlikeInAllModes(triples, { task: facts, ...shallow }, { samplers: false });
    await expectAlikeInAllModes(
      triples,
      { task: { ...facts, loss: { type: "kVsAll" } }, ...shallow },
      { samplers: false },
    );
  });

  // By a decoder that tells a pair from its reverse: of equal scores rounding would decide, which ranks differ in.
  test("as triples of which some carry messages alone, whose relations every rank reads", async () => {
    const split = { split: task.split, relations: "each", disjoint: 0.5 };
    const apart = await prepare({ edges: { ...edges, type: "rel" }, nodes, directed: true }, split);
    const facts = { ...task, relations: "each", rankAmong: "allNodes", disjoint: 0.5, decoder: { type: "complEx" } };
    const asked = { task: facts, model: { type: "shallow" }, features: { embedding: { dim: 8 } }, train };
    await expectAlikeInAllModes(apart, asked, { samplers: false });
  });
});

describe("typed graphs", () => {
  const typed = { edges: { ...edges, type: "rel", reverseTypes: true }, nodes: { ...nodes, type: "kind" } };
  const models = [
    ["rsage", {}],
    ["rgcn", { decomposition: "basis", numBases: 2 }],
    ["rgat", { heads: 2 }],
    ["hgt", { heads: 2 }],
  ] as const;
  // Vectors that score the receiving node hardly matter to a softmax: Adam makes steps of their rounding.
  const gentle = { ...train, optimizer: { type: "sgd", options: { lr: 0.2 } } };

  test.each(models)("classes of nodes are learnt by %s alike in all modes", async (type, more) => {
    const model = { type, options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2, ...more } };
    const asked = { task: { target: "label" }, model, sampling: neighbor, train: { ...gentle, batchSize: 16 } };
    await expectAlikeInAllModes(await prepare(typed, null), asked);
  });

  test("nodes are learnt beside learned rows alike in all modes", async () => {
    const model = { type: "rsage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2 } };
    const embedding = { dim: 8, optimizer: { type: "sparseAdagrad", options: { lr: 0.1 } } };
    const asked = { task: { target: "label" }, model, sampling: neighbor, features: { embedding } };
    await expectAlikeInAllModes(await prepare(typed, null), { ...asked, train: { ...gentle, batchSize: 16 } });
  });

  test("fanouts of each relation give one loss curve in all modes, for classes of nodes and for links", async () => {
    const model = { type: "rsage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2 } };
    const options = { fanouts: [2, 2], perRelation: true, relationFanouts: { r0: [3, 1] } };
    const asked = { model, sampling: { type: "neighbor", options } };
    const ofNodes = { ...asked, task: { target: "label" }, train: { ...gentle, batchSize: 16 } };
    await expectAlikeInAllModes(await prepare(typed, null), ofNodes);
    await expectAlikeInAllModes(await prepare(typed, { split: task.split }), { ...asked, task, train });
  });

  test("fanouts of each relation do so for links of which some carry messages alone, too", async () => {
    const model = { type: "rsage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2 } };
    const options = { fanouts: [2, 2], perRelation: true, relationFanouts: { r0: [3, 1] } };
    const apart = await prepare(typed, { split: task.split, disjoint: 0.5 });
    const asked = { task: { ...task, disjoint: 0.5 }, model, sampling: { type: "neighbor", options }, train };
    await expectAlikeInAllModes(apart, asked);
  });

  test.each(models.slice(0, 2))("links are learnt by %s alike in all modes", async (type, more) => {
    const model = { type, options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2, ...more } };
    await expectAlikeInAllModes(await prepare(typed, { split: task.split }), {
      task,
      model,
      sampling: neighbor,
      train,
    });
  });
});
