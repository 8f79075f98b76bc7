import { join } from "node:path";
import { expect } from "vitest";
import type { ArtifactDir } from "../../../src/io/manifest.ts";
import { readNpy } from "../../../src/io/npy.ts";
import type { NewNode } from "../../../src/serving/new-nodes/new-node.ts";
import { NodeLookup } from "../../../src/serving/node-lookup.ts";
import { ServedModel } from "../../../src/serving/served-model.ts";
import { loadRegistry } from "../../../src/spec/index.ts";
import { inferStep } from "../../../src/steps/infer.step.ts";
import { ingestStep } from "../../../src/steps/ingest.step.ts";
import { partitionStep } from "../../../src/steps/partition.step.ts";
import { remapStep } from "../../../src/steps/remap.step.ts";
import { trainStep } from "../../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../../support/run-step.ts";

export const numKnown = 40;
export const limits = { edges: 100_000, numbers: 10_000_000 };
export const numbers = (node: number) =>
  [Math.sin(node), Math.cos(3 * node), (node % 5) - 2].map((x) => Number(x.toFixed(3)));

interface Edge {
  readonly src: string;
  readonly dst: string;
  readonly weight: number;
}

export interface Kind {
  readonly directed: boolean;
  readonly hasWeights: boolean;
}

export const knownEdges = Array.from({ length: 120 }, (_, i): Edge => {
  const [src, dst] = [(i * 7) % numKnown, (i * i + 3 * i + 1) % numKnown];
  return { src: `n${src}`, dst: `n${dst}`, weight: 0.5 + (i % 4) };
});

/** Two that know each other, both ways and one edge twice; one with a self-loop; one that nobody knows */
const newNodes: readonly (Omit<NewNode, "edges"> & {
  readonly edges: readonly { from?: string; to?: string; weight: number }[];
})[] = [
  {
    id: "x",
    edges: [
      { to: "n3", weight: 2 },
      { from: "n7", weight: 0.25 },
      { to: "y", weight: 1 },
    ],
  },
  {
    id: "y",
    edges: [
      { to: "n3", weight: 1 },
      { from: "x", weight: 9 },
      { to: "x", weight: 0.5 },
      { to: "n9", weight: 3 },
    ],
  },
  {
    id: "loop",
    edges: [
      { to: "loop", weight: 1.5 },
      { from: "n0", weight: 1 },
      { from: "n0", weight: 4 },
    ],
  },
  { id: "alone", edges: [] },
].map((node, i) => ({ ...node, features: { a: numbers(100 + i)[0] ?? 0, v: numbers(100 + i).slice(1) } }));

export const givenWith = ({ hasWeights }: Kind): readonly NewNode[] =>
  newNodes.map(({ edges, ...node }) => ({
    ...node,
    edges: edges.map(({ weight, ...ends }) => (hasWeights ? { ...ends, weight } : ends)),
  }));

export interface Cut {
  readonly graph: ArtifactDir;
  readonly parts: ArtifactDir;
}

const known = new Map<string, Promise<Cut>>();

/** The graph with or without the new nodes, made once for all models */
export function ingested(kind: Kind, withNew: boolean, more = {}): Promise<Cut> {
  const key = JSON.stringify([kind.directed, kind.hasWeights, withNew, more]);
  const found = known.get(key) ?? ingest(kind, withNew, more);
  known.set(key, found);
  return found;
}

async function ingest({ directed, hasWeights }: Kind, withNew: boolean, more: object): Promise<Cut> {
  const rows = Array.from({ length: numKnown }, (_, node) => ({ id: `n${node}`, numbers: numbers(node), label: node }));
  const fresh = newNodes.map(({ id }, i) => ({ id, numbers: numbers(100 + i), label: -1 }));
  const all = withNew ? [...rows, ...fresh] : rows;
  const added = newNodes.flatMap(({ id, edges }) =>
    edges.map(({ from, to, weight }): Edge => ({ src: from ?? id, dst: to ?? id, weight })),
  );
  const edges = withNew ? [...knownEdges, ...added] : knownEdges;
  const line = ({ id, numbers: [a, b, c], label }: (typeof all)[number]) =>
    `${id},${a},"[${b},${c}]",${label < 0 ? "" : `c${label % 3}`},${label < 0 ? "none" : ["train", "val", "test"][label % 3]}`;
  const files = await filesArtifact({
    "nodes.csv": `id,a,v,label,split\n${all.map(line).join("\n")}\n`,
    "edges.csv": `src,dst,weight\n${edges.map(({ src, dst, weight }) => `${src},${dst},${weight}`).join("\n")}\n`,
  });
  const features = { columns: ["a", "v"], widths: { v: 2 } };
  const graph = await runStep(
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst", weight: hasWeights ? "weight" : null },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features },
      directed,
      ...more,
    },
  );
  const cut = { partition: { type: "random", options: { numParts: 2 } } };
  return { graph, parts: await runStep(partitionStep, { graph }, cut) };
}

export async function trained({ graph, parts }: Cut, options: object): Promise<ArtifactDir> {
  return runStep(
    trainStep,
    { graph, parts },
    { features: { transforms: ["standardize"] }, train: { epochs: 2, batchSize: 32 }, ...options },
  );
}

/** Rows of the new nodes as a job gives them on the version of the dataset that has them. */
async function reingested(kind: Kind, model: ArtifactDir, more = {}) {
  const { graph, parts } = await ingested(kind, true, more);
  const inferred = await runStep(inferStep, { parts, model }, {});
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const newRows = async (name: string) => {
    const { shape, values } = await readNpy(join(remapped.dir, name), "float32");
    return values.slice(numKnown * shape[1]!);
  };
  const predicts = remapped.manifest.blobs.some(({ name }) => name === "logits.npy");
  const embeddings = await newRows("embeddings.npy");
  return { embeddings, outputs: predicts ? await newRows("logits.npy") : embeddings };
}

export async function served({ graph }: Cut, model: ArtifactDir) {
  const lookup = await NodeLookup.open(graph);
  const rowOf = (id: string) => lookup.rowOf(id);
  const open = await ServedModel.open({ graph, model, registry: await loadRegistry([]), threads: 1 });
  return { open, lookup, infer: (nodes: readonly NewNode[], most = limits) => open.infer(nodes, rowOf, most) };
}

function largestDifference(found: Float32Array, expected: Float32Array): number {
  expect(found.length).toBe(expected.length);
  return found.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0);
}

export const kinds: readonly (Kind & { readonly name: string })[] = [
  { name: "undirected", directed: false, hasWeights: false },
  { name: "undirected with weights", directed: false, hasWeights: true },
  { name: "directed", directed: true, hasWeights: false },
  { name: "directed with weights", directed: true, hasWeights: true },
];

/** What the model gives the new nodes of a graph, against what a job gives them once they are ingested */
export async function expectAsReingested(kind: Kind, options: object, more = {}): Promise<void> {
  const graph = await ingested(kind, false, more);
  const artifact = await trained(graph, { task: { target: "label" }, sampling: { type: "full" }, ...options });
  const { open, infer } = await served(graph, artifact);
  const found = await infer(givenWith(kind));
  const expected = await reingested(kind, artifact, more);
  expect(found.outputs.length).toBeGreaterThan(0);
  expect(largestDifference(found.embeddings, expected.embeddings)).toBeLessThan(1e-5);
  expect(largestDifference(found.outputs, expected.outputs)).toBeLessThan(1e-5);
  open.retire();
}
