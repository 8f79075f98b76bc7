import { beforeAll, expect, test } from "vitest";
import type { ArtifactDir } from "../../src/index.ts";
import { type JobPreset, jobPresets } from "../../src/spec/index.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitEdgesStep } from "../../src/steps/split-edges.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { plantedEdges, plantedMapping, plantedSplit, plantedTask } from "../edges/support/planted-edges.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { ringMapping, ringTables, ringTask } from "../whole-graphs/support/rings.ts";

const numNodes = 60;
const groups = 4;

/** Nodes of four groups, which edges of two relations join on forty days: within a group, and to the next one. */
function tables(): Record<string, string> {
  const nodes = ["id,label,split,f0,f1"];
  const edges = ["src,dst,rel,day"];
  for (let a = 0; a < numNodes; a++) {
    const group = a % groups;
    nodes.push(`n${a},c${group},${["train", "train", "val", "test"][Math.floor(a / groups) % 4]},${group},${a % 7}`);
    for (let step = 1; step <= 3; step++) {
      edges.push(`n${a},n${(a + groups * step) % numNodes},same,${(a * step) % 40}`);
      edges.push(`n${a},n${(a + groups * step + 1) % numNodes},next,${(a + step) % 40}`);
    }
  }
  return { "nodes.csv": `${nodes.join("\n")}\n`, "edges.csv": `${edges.join("\n")}\n` };
}

const nodes = {
  files: ["nodes.csv"],
  id: "id",
  label: "label",
  split: "split",
  features: { columns: ["f0", "f1"] },
};
const ends = { files: ["edges.csv"], src: "src", dst: "dst" };
const cut = { partition: { type: "random", options: { numParts: 2 } } };
/** It is to be seen that a preset's parts fit each other. */
const mostEpochs = 2;

type Inputs = Record<string, ArtifactDir>;

async function graphOf(files: Record<string, string>, mapping: object): Promise<ArtifactDir> {
  return runStep(ingestStep, { files: await filesArtifact(files) }, mapping);
}

async function linksOf(edges: object, split: object, relations: object = {}): Promise<Inputs> {
  const graph = await graphOf(tables(), { edges: { ...ends, ...edges }, nodes, directed: true });
  const links = await runStep(splitLinksStep, { graph }, { split, ...relations });
  return { links, parts: await runStep(partitionStep, { graph, links }, { ...cut, edges: "messages" }) };
}

async function nodesOf(edges: object, features: object = {}): Promise<Inputs> {
  const graph = await graphOf(tables(), {
    edges: { ...ends, ...edges },
    nodes: { ...nodes, ...features },
    directed: true,
  });
  return { parts: await runStep(partitionStep, { graph }, cut) };
}

async function ringsOf(): Promise<Inputs> {
  const graph = await graphOf(ringTables(48), ringMapping);
  return { parts: await runStep(partitionStep, { graph }, { ...cut, graphs: { folds: { test: "0", val: null } } }) };
}

async function labelledEdges(): Promise<Inputs> {
  const planted = plantedEdges();
  const graph = await graphOf({ "edges.csv": planted.edges, "nodes.csv": planted.nodes }, plantedMapping);
  const edgeRows = await runStep(splitEdgesStep, { graph }, { split: plantedSplit });
  return { edgeRows, parts: await runStep(partitionStep, { graph }, cut) };
}

const atRandom = { type: "random", val: 0.1, test: 0.2 };
const byTime = { type: "time", val: 0.1, test: 0.2 };

interface Suited {
  readonly inputs: () => Promise<Inputs>;
  /** What a job adds to the preset's task */
  readonly task: object;
}

/** What presets of a situation are for: where it is not named here, the labels of nodes. */
const suited: Readonly<Record<string, Suited>> = {
  links: { inputs: () => linksOf({}, atRandom), task: { split: atRandom } },
  recommendation: { inputs: () => linksOf({}, atRandom), task: { split: atRandom } },
  "links-by-time": { inputs: () => linksOf({ time: "day" }, byTime), task: { split: byTime } },
  knowledge: {
    inputs: () => linksOf({ type: "rel" }, atRandom, { relations: "each" }),
    task: { split: atRandom },
  },
  typed: { inputs: () => nodesOf({ type: "rel" }), task: {} },
  "many-relations": { inputs: () => nodesOf({ type: "rel" }), task: {} },
  identity: { inputs: () => nodesOf({ type: "rel" }, { features: null }), task: {} },
  "labelled-edges": { inputs: labelledEdges, task: plantedTask },
  "whole-graphs": {
    inputs: ringsOf,
    task: { type: ringTask.type, target: ringTask.target, testFold: ringTask.testFold },
  },
};
const ofNodes: Suited = { inputs: () => nodesOf({}), task: {} };
/** The task of presets that name none, unless their situation does */
const byDefault = { type: "nodeClassification", target: "label" };

const made = new Map<string, Inputs>();
beforeAll(async () => {
  for (const [name, { inputs }] of Object.entries({ ...suited, ofNodes })) made.set(name, await inputs());
});

test.each(jobPresets.map((preset): [string, JobPreset] => [preset.name, preset]))(
  "%s trains on a graph of its kind",
  async (_name, { situation, spec }) => {
    // A column for each node is for graphs without features.
    const kind = spec.features?.structural?.method === "identity" ? "identity" : situation;
    const { task } = suited[kind] ?? ofNodes;
    const inputs = made.get(kind) ?? made.get("ofNodes")!;
    const train = { ...spec.train, epochs: Math.min(mostEpochs, spec.train?.epochs ?? mostEpochs) };
    const named = { ...spec.task, ...task };
    const options = { ...spec, task: "type" in named ? named : byDefault, train };
    const model = await runStepRanks(trainStep, inputs, options, { worldSize: 1 });
    const { metrics } = modelInfo.parse(model.manifest.info);
    const figures = Object.values(metrics).filter((figure) => figure !== null);
    expect(figures.length, JSON.stringify(metrics)).toBeGreaterThan(0);
    expect(figures.every(Number.isFinite), JSON.stringify(metrics)).toBe(true);
  },
);
