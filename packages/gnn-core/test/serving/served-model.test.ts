import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explainNode } from "../../src/explain/explain-node.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { readNpy } from "../../src/io/npy.ts";
import type { NewNode } from "../../src/serving/new-nodes/new-node.ts";
import { NodeLookup } from "../../src/serving/node-lookup.ts";
import { ServedModel } from "../../src/serving/served-model.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { readModelInfo } from "../../src/spec/model-info.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { appliedModel } from "../../src/train/applied-model.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const numKnown = 40;
const limits = { edges: 100_000, numbers: 10_000_000 };
const numbers = (node: number) => [Math.sin(node), Math.cos(3 * node), (node % 5) - 2].map((x) => Number(x.toFixed(3)));

interface Edge {
  readonly src: string;
  readonly dst: string;
  readonly weight: number;
}

interface Kind {
  readonly directed: boolean;
  readonly hasWeights: boolean;
}

const knownEdges = Array.from({ length: 120 }, (_, i): Edge => {
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

const givenWith = ({ hasWeights }: Kind): readonly NewNode[] =>
  newNodes.map(({ edges, ...node }) => ({
    ...node,
    edges: edges.map(({ weight, ...ends }) => (hasWeights ? { ...ends, weight } : ends)),
  }));

interface Cut {
  readonly graph: ArtifactDir;
  readonly parts: ArtifactDir;
}

const known = new Map<string, Promise<Cut>>();

/** The graph with or without the new nodes, made once for all models */
function ingested(kind: Kind, withNew: boolean, more = {}): Promise<Cut> {
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

async function trained({ parts }: Cut, options: object): Promise<ArtifactDir> {
  return runStep(
    trainStep,
    { parts },
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

async function served({ graph }: Cut, model: ArtifactDir) {
  const lookup = await NodeLookup.open(graph);
  const rowOf = (id: string) => lookup.rowOf(id);
  const open = await ServedModel.open({ graph, model, registry: await loadRegistry([]), threads: 1 });
  return { open, infer: (nodes: readonly NewNode[], most = limits) => open.infer(nodes, rowOf, most) };
}

function largestDifference(found: Float32Array, expected: Float32Array): number {
  expect(found.length).toBe(expected.length);
  return found.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0);
}

const kinds: readonly (Kind & { readonly name: string })[] = [
  { name: "undirected", directed: false, hasWeights: false },
  { name: "undirected with weights", directed: false, hasWeights: true },
  { name: "directed", directed: true, hasWeights: false },
  { name: "directed with weights", directed: true, hasWeights: true },
];
const models = [
  { type: "gcn", options: { numLayers: 2, hiddenFeats: 8 } },
  { type: "sage", options: { numLayers: 2, hiddenFeats: 8 } },
  { type: "gat", options: { numLayers: 2, hiddenFeats: 4, heads: 2 } },
  { type: "gin", options: { numLayers: 3, hiddenFeats: 8 } },
];

describe.each(kinds)("new nodes of a graph that is $name", (kind) => {
  it.each(models)("get from $type $options what they get once they are ingested", async (model) => {
    const graph = await ingested(kind, false);
    const artifact = await trained(graph, { task: { target: "label" }, model, sampling: { type: "full" } });
    const { open, infer } = await served(graph, artifact);
    const found = await infer(givenWith(kind));
    const expected = await reingested(kind, artifact);
    expect(largestDifference(found.embeddings, expected.embeddings)).toBeLessThan(1e-5);
    expect(largestDifference(found.outputs, expected.outputs)).toBeLessThan(1e-5);
    open.retire();
  });
});

describe("new nodes", () => {
  const kind = kinds[1]!;
  const train = async (options: object, more = {}) => {
    const graph = await ingested(kind, false, more);
    const artifact = await trained(graph, { task: { target: "label" }, sampling: { type: "full" }, ...options });
    return { artifact, ...(await served(graph, artifact)) };
  };

  it.each([
    { name: "a model of one layer", model: { type: "sage", options: { numLayers: 1 } } },
    { name: "ten hops", model: { type: "appnp", options: {} } },
    { name: "a model without edges", model: { type: "mlp", options: {} } },
    {
      name: "messages in both directions",
      sampling: { type: "neighbor", options: { fanouts: [5, 5], edgeDir: "both" } },
    },
    {
      name: "messages against the edges",
      sampling: { type: "neighbor", options: { fanouts: [5, 5], edgeDir: "out" } },
    },
    {
      name: "embeddings alone",
      task: { type: "deepGraphInfomax", dim: 4 },
      model: { type: "gcn", options: { numLayers: 1, dropout: 0 } },
    },
  ])("get from $name what they get once they are ingested", async ({ name, ...options }) => {
    const directed = { name: "", directed: true, hasWeights: true };
    const graph = await ingested(directed, false);
    const artifact = await trained(graph, {
      task: { target: "label" },
      model: { type: "gcn", options: { numLayers: 2 } },
      sampling: { type: "full" },
      ...options,
    });
    const { open, infer } = await served(graph, artifact);
    const found = await infer(givenWith(directed));
    const expected = await reingested(directed, artifact);
    expect(largestDifference(found.outputs, expected.outputs)).toBeLessThan(1e-5);
    expect(found.outputs.length, name).toBeGreaterThan(0);
    open.retire();
  });

  it("follow the rules of their dataset for repeated edges and self-loops", async () => {
    const rules = { duplicates: "keep", selfLoops: "drop" };
    const model = { type: "gcn", options: { numLayers: 2 } };
    const { artifact, open, infer } = await train({ model }, rules);
    const expected = await reingested(kind, artifact, rules);
    expect(largestDifference((await infer(givenWith(kind))).outputs, expected.outputs)).toBeLessThan(1e-5);
    open.retire();
  });

  it("are refused with the place of what does not fit", async () => {
    const { open, infer } = await train({ model: { type: "gcn", options: { numLayers: 2 } } });
    const features = { a: 1, v: [2, 3] };
    const good = { id: "x", features, edges: [{ to: "n1", weight: 1 }] };
    const table: readonly (readonly [NewNode | readonly NewNode[], string, string])[] = [
      [{ ...good, id: "n5" }, "NODE_EXISTS", "/nodes/0/id"],
      [[good, good], "NODE_EXISTS", "/nodes/1/id"],
      [{ ...good, edges: [{ to: "nobody", weight: 1 }] }, "NODE_UNKNOWN", "/nodes/0/edges/0/to"],
      [{ ...good, edges: [{ from: "", weight: 1 }] }, "NODE_UNKNOWN", "/nodes/0/edges/0/from"],
      [{ ...good, edges: [{ from: "n1", to: "n2", weight: 1 }] }, "SPEC_INVALID", "/nodes/0/edges/0"],
      [{ ...good, edges: [{ weight: 1 }] }, "SPEC_INVALID", "/nodes/0/edges/0"],
      [{ ...good, edges: [{ to: "n1" }] }, "SPEC_INVALID", "/nodes/0/edges/0/weight"],
      [{ ...good, edges: [{ to: "n1", weight: Number.NaN }] }, "SPEC_INVALID", "/nodes/0/edges/0/weight"],
      [{ ...good, edges: [{ to: "n1", weight: 1e300 }] }, "SPEC_INVALID", "/nodes/0/edges/0/weight"],
      [{ id: "x" }, "SPEC_INVALID", "/nodes/0/features"],
      [{ ...good, features: [1, 2, 3] }, "SPEC_INVALID", "/nodes/0/features"],
      [{ ...good, features: { a: 1 } }, "SPEC_INVALID", "/nodes/0/features/v"],
      [{ ...good, features: { ...features, "b/c": 1 } }, "SPEC_INVALID", "/nodes/0/features/b~1c"],
      [{ ...good, features: { ...features, ["__proto__"]: 1 } }, "SPEC_INVALID", "/nodes/0/features/__proto__"],
      [{ ...good, features: { ...features, a: Number.NaN } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, a: null } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, a: "1" } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, a: [1] } }, "SPEC_INVALID", "/nodes/0/features/a"],
      [{ ...good, features: { ...features, v: [1, 2, 3] } }, "SPEC_INVALID", "/nodes/0/features/v"],
      [{ ...good, features: { ...features, v: [1, 1e39] } }, "SPEC_INVALID", "/nodes/0/features/v/1"],
    ];
    for (const [nodes, code, pointer] of table) {
      const asked = infer([nodes].flat());
      await expect(asked, pointer).rejects.toMatchObject({ code, place: { pointer } });
    }
    const few = { ...limits, edges: 3 };
    await expect(infer([good], few)).rejects.toMatchObject({ code: "NODE_TOO_COSTLY", place: { pointer: "/nodes" } });
    const narrow = { ...limits, numbers: 3 };
    await expect(infer([good], narrow)).rejects.toMatchObject({ code: "NODE_TOO_COSTLY" });
    open.retire();
  });

  it.each([
    { name: "a learned row for each node", features: { transforms: [], embedding: { dim: 4 } }, says: "embedding" },
    { name: "columns made from the edges", features: { transforms: [], structural: { dim: 4 } }, says: "structural" },
  ])("get no rows of a model with $name", async ({ features, says }) => {
    const graph = await ingested(kind, false);
    const model = { type: "gcn", options: { numLayers: 2 } };
    const artifact = await trained(graph, { task: { target: "label" }, model, sampling: { type: "full" }, features });
    const opened = ServedModel.open({
      graph: graph.graph,
      model: artifact,
      registry: await loadRegistry([]),
      threads: 1,
    });
    await expect(opened).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/nodes" } });
    await expect(opened).rejects.toThrow(says);
  });
});

describe("a served explanation", () => {
  const kind = { directed: true, hasWeights: true };

  it("is that of the library, on the same graph made without the artifact", async () => {
    const cut = await ingested(kind, false);
    const model = { type: "gcn", options: { numLayers: 2, hiddenFeats: 8 } };
    const features = { transforms: ["rowNormalize"] };
    const artifact = await trained(cut, { task: { target: "label" }, model, sampling: { type: "full" }, features });
    const { open } = await served(cut, artifact);
    const options = { steps: 20, seed: 3, topEdges: 2, topFeatures: 1 };
    const found = await open.explain(5, { ...options, signal: new AbortController().signal });
    const node = (id: string) => Number(id.slice(1));
    const weights = knownEdges.map(({ weight }) => weight);
    const [src, dst] = [knownEdges.map((edge) => node(edge.src)), knownEdges.map((edge) => node(edge.dst))];
    const graph = await graphFromEdges({ src, dst, weights, numNodes: numKnown });
    const rows = Array.from({ length: numKnown }, (_, i) => {
      const size = numbers(i).reduce((sum, x) => sum + Math.abs(Math.fround(x)), 0);
      return numbers(i).map((x) => Math.fround(x) / size);
    });
    const { trained: built } = await appliedModel(artifact, readModelInfo(artifact), await loadRegistry([]));
    const store = new DenseFeatureStore(3, [Float32Array.from(rows.flat())]);
    const expected = await explainNode({ model: built, graph, features: store }, 5, options);
    expect(found.target).toBe(expected.target);
    expect(found.edges.map(({ src: from, dst: to }) => [from, to])).toEqual(
      expected.edges.map(({ src: from, dst: to }) => [from, to]),
    );
    for (const [i, { weight }] of found.edges.entries()) expect(weight).toBeCloseTo(expected.edges[i]!.weight, 5);
    expect(found.fidelityPlus).toBeCloseTo(expected.fidelityPlus, 5);
    expect(open.featureNames).toEqual(["a", "v[0]", "v[1]"]);
    const again = await open.explain(5, { ...options, signal: new AbortController().signal });
    expect(again).toEqual(found);
    built.dispose();
    open.retire();
  });

  it("ends between two steps when nobody waits for it any more", async () => {
    const cut = await ingested(kind, false);
    const model = { type: "sage", options: { numLayers: 1 } };
    const { open } = await served(
      cut,
      await trained(cut, { task: { target: "label" }, model, sampling: { type: "full" } }),
    );
    const gone = new AbortController();
    const asked = open.explain(5, { steps: 100_000, signal: gone.signal });
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
    open.retire();
  });
});
