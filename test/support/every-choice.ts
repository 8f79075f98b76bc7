import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { graphFromRelations } from "../../packages/gnn-core/src/graph/graph-from-relations.ts";
import { labelSetsOf } from "../../packages/gnn-core/src/graph/label-sets.ts";
import { linkKit } from "../../packages/gnn-core/src/links/link-kit.ts";
import { splitLinks } from "../../packages/gnn-core/src/links/split-links.ts";
import { loadRegistry } from "../../packages/gnn-core/src/spec/index.ts";
import { resolveTask } from "../../packages/gnn-core/src/spec/resolve-task.ts";
import type { TrainerOptions, TrainerSetup } from "../../packages/gnn-core/src/train/trainer-setup.ts";
import { graphKit } from "../../packages/gnn-core/src/whole-graphs/graph-kit.ts";
import { graphSetOf } from "../../packages/gnn-core/src/whole-graphs/graph-set.ts";
import { randomFloats } from "../../packages/gnn-core/test/support/seeded-random.ts";

const numNodes = 24;
const dim = 6;
const numClasses = 3;
const registry = await loadRegistry();

/** Edges of two kinds, half of them within a class. */
const relations = Object.fromEntries(
  ["cites", "writes"].map((name, kind) => {
    const at = Array.from({ length: 40 }, (_, i) => i);
    const src = at.map((i) => (i * 7 + kind * 5) % numNodes);
    return [name, { src, dst: at.map((i) => (i % 2 === 0 ? src[i]! + numClasses : i * 5 + kind) % numNodes) }];
  }),
);
const labels = Int32Array.from({ length: numNodes }, (_, node) => node % numClasses);
const nodeData = {
  features: new DenseFeatureStore(dim, [randomFloats(numNodes * dim, 3)]),
  split: Int8Array.from({ length: numNodes }, (_, node) => [1, 1, 2, 3][node % 4]!),
  labels,
  numClasses,
  labelSets: labelSetsOf(
    Array.from(labels, (label, node) => (node % 5 === 0 ? [] : [label, (label + (node % 2)) % numClasses])),
    numClasses,
  ),
  targets: { names: ["age"], values: Float32Array.from(labels, (label, node) => label + (node % 7) / 7) },
};

/** A task on a small graph that has what the task reads. */
export async function setupFor(
  task: Record<string, unknown>,
): Promise<Pick<TrainerSetup, "data" | "links" | "graphs" | "edges">> {
  const graph = await graphFromRelations({ numNodes, relations });
  const { labelSets: _, targets, ...ofOneClass } = nodeData;
  switch (task["type"]) {
    case "nodeMultiLabel":
      return { data: { ...nodeData, graph, labels: null } };
    case "linkPrediction": {
      const { src, dst } = mergedEdges();
      const shares = { val: 0.1, test: 0.1 };
      const byTime = { type: "time", ...shares, times: src.map((_, i) => i) } as const;
      const isByTime = (task["split"] as { readonly type: string } | undefined)?.type === "time";
      const sides = isByTime ? byTime : ({ type: "random", ...shares, seed: 0 } as const);
      const split = await splitLinks(
        { src, dst, numNodes, directed: true },
        { sides, negatives: { perLink: 1, seed: 0 } },
      );
      const { component, options } = resolveTask({ inductive: false, ...task }, registry);
      if (component.seeds !== "edges") throw new Error(`${component.name} does not learn links`);
      const objective = await component.create(
        options,
        { seen: split.seen, groups: null, directed: true, seed: 0 },
        linkKit,
      );
      const { features } = nodeData;
      const data = { graph, features, split: new Int8Array(numNodes) };
      return { data, links: { split: { ...split, graph }, ...objective } };
    }
    case "graphClassification":
    case "graphRegression":
      return setupForGraphs(task);
    case "edgeClassification":
    case "edgeRegression":
      return setupForEdges(task, graph);
    case "deepGraphInfomax":
    case "grace":
    case "node2vec":
    case "fastRp":
      // Without labels no linear probe is fitted at the end, which takes longer than all else.
      return { data: { features: nodeData.features, split: nodeData.split, graph } };
    case "nodeRegression":
      return { data: { ...ofOneClass, targets, graph } };
    default:
      return { data: { ...ofOneClass, graph } };
  }
}

/** A task on the edges of the graph, each with a feature of its own. */
async function setupForEdges(
  task: Record<string, unknown>,
  graph: TrainerSetup["data"]["graph"],
): Promise<Pick<TrainerSetup, "data" | "edges">> {
  const { src, dst } = mergedEdges();
  const { component, options } = resolveTask({ inductive: false, ...task }, registry);
  if (component.seeds !== "edgeRows") throw new Error(`${component.name} does not learn labels of edges`);
  const known = {
    labels: src.map((from, i) => (from + dst[i]!) % numClasses),
    numClasses,
    targets: { names: ["age"], values: Float32Array.from(src, (from, i) => from - dst[i]! / 2) },
  };
  const objective = await component.create(options, known);
  const edges = { src, dst, features: randomFloats(src.length, 9), featureDim: 1, directed: true };
  const split = Int8Array.from(src, (_, i) => [1, 1, 2, 3][i % 4]!);
  const data = { graph, features: nodeData.features, split: new Int8Array(numNodes) };
  return { data, edges: { ...objective, edges, split } };
}

const nodesPerGraph = 2;
const numGraphs = numNodes / nodesPerGraph;

/** A task on graphs of two nodes each, and an edge either way of one of two types. */
async function setupForGraphs(task: Record<string, unknown>): Promise<Pick<TrainerSetup, "data" | "graphs">> {
  const nodes = Int32Array.from({ length: numNodes }, (_, node) => node);
  const graphOf = Array.from(nodes, (node) => Math.floor(node / nodesPerGraph));
  const ofType = (type: number) => nodes.filter((node) => graphOf[node]! % 2 === type);
  const edgesOf = (src: Int32Array) => ({ src, dst: src.map((node) => node ^ 1) });
  const graph = await graphFromRelations({
    numNodes,
    relations: { single: edgesOf(ofType(0)), double: edgesOf(ofType(1)) },
  });
  const set = { ...(await graphSetOf({ ...edgesOf(nodes), graphOf })), graph };
  const { component, options } = resolveTask({ inductive: false, ...task }, registry);
  if (component.seeds !== "graphs") throw new Error(`${component.name} does not learn whole graphs`);
  const known = {
    labels: labels.subarray(0, numGraphs),
    numClasses,
    targets: { names: ["age"], values: nodeData.targets.values.subarray(0, numGraphs) },
  };
  const objective = await component.create(options, known, graphKit);
  const data = { graph: set.graph, features: nodeData.features, split: new Int8Array(numNodes) };
  return { data, graphs: { ...objective, set, split: nodeData.split.subarray(0, numGraphs) } };
}

function mergedEdges() {
  const pairs = new Map<string, readonly [number, number]>();
  for (const { src, dst } of Object.values(relations)) {
    for (const [i, from] of src.entries()) if (from !== dst[i]) pairs.set(`${from} ${dst[i]}`, [from, dst[i]!]);
  }
  const rows = [...pairs.values()];
  return { src: Int32Array.from(rows, ([from]) => from), dst: Int32Array.from(rows, ([, to]) => to) };
}

export type Choice = { readonly type: string; readonly options: Record<string, unknown> };

/** Every model with two hops, small; what reads learned rows alone has none. */
export const models: readonly Choice[] = registry
  .list("model")
  .filter(({ readsFeatures }) => readsFeatures !== false)
  .map(({ name, options }) => ({
    type: name,
    options: {
      ...("hiddenFeats" in options.shape && { hiddenFeats: 6 }),
      ...("numHops" in options.shape && { numHops: 2 }),
      ...("heads" in options.shape && { heads: 2 }),
    },
  }));

/** Every sampler with two hops, small. */
export const samplers: readonly Choice[] = registry.list("sampler").map(({ name, options }) => ({
  type: name,
  options: {
    ...("fanouts" in options.shape && { fanouts: [3, 2] }),
    ...("layerSizes" in options.shape && { layerSizes: [12, 12] }),
    ...("numClusters" in options.shape && { numClusters: 4, clustersPerBatch: 2 }),
  },
}));

/** Every task, with the options that have no default. */
export const tasks: readonly Record<string, unknown>[] = registry.list("task").map(({ name, options }) => ({
  type: name,
  ...("target" in options.shape && { target: name.endsWith("Regression") ? "age" : "label" }),
  ...("dim" in options.shape && { dim: 6 }),
}));

/** Two steps or a few of an epoch, by how many seeds the task finds. */
export function trainOf(task: Record<string, unknown>): NonNullable<TrainerOptions["train"]> {
  const batchSizes: Readonly<Record<string, number>> = {
    linkPrediction: 32,
    edgeClassification: 16,
    edgeRegression: 16,
    deepGraphInfomax: 12,
    grace: 12,
    node2vec: 12,
    graphClassification: 3,
    graphRegression: 3,
  };
  return { epochs: 1, batchSize: batchSizes[task["type"] as string] ?? 6 };
}
