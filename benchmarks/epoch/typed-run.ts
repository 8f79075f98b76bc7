import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import type { ShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import type { CscGraph } from "../../packages/gnn-core/src/graph/csc-graph.ts";
import { rsage } from "../../packages/gnn-core/src/models/rsage.model.ts";
import { nn } from "../../packages/gnn-core/src/nn/index.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { createRelationSampler } from "../../packages/gnn-core/src/sampling/relation-blocks.ts";
import { type BatchFigures, BatchRun } from "./batch-run.ts";
import { benchmarkModel } from "./benchmark-model.ts";
import type { CeilingProbe } from "./ceilings.ts";
import { median } from "./cpu-clock.ts";
import { seedBatches } from "./seed-batches.ts";

export interface TypedChoice {
  readonly data: ShapedGraph;
  readonly seed: number;
  readonly hidden: number;
  readonly dropout: number;
  /** In-neighbours of each node by hop, of all relations into it together: multiples of `into` */
  readonly fanouts: readonly number[];
  /** Relations that lead into each node: 1, 2 or 4 */
  readonly into: number;
  readonly batchSize: number;
  readonly numBatches: number;
}

/** What one of the two did: medians of the steps, but for the edges, which are a mean */
export interface TypedSide {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly sampledEdges: number;
  readonly split: Readonly<Record<string, number>>;
}

const numRelations = 4;
const phases = ["sample", "gather", "forward", "backward", "optimizer"] as const;
const warmUp = 2;

/**
 * A graph with these edges and four relations, `into` of which lead into each node: nodes are of 4 / into types, ranges
 * of ids, and each type has relations of its own, with equal shares of the edges of every node.
 */
function withRelations(graph: CscGraph, into: number) {
  const numTypes = numRelations / into;
  const nodeTypes = Int32Array.from({ length: graph.numNodes }, (_, v) => Math.floor((v * numTypes) / graph.numNodes));
  const parts = graph.parts.map((part) => {
    const types = new Int32Array(part.indices.length);
    for (let node = 0; node < part.numNodes; node++) {
      const [begin, end] = [Number(part.indptr[node]), Number(part.indptr[node + 1])];
      const perRelation = (end - begin) / into;
      const first = (nodeTypes[part.firstNode + node] as number) * into;
      for (let e = begin; e < end; e++) types[e] = first + Math.floor((e - begin) / perRelation);
    }
    return { ...part, types };
  });
  return { graph: { ...graph, parts, relations: ["a", "b", "c", "d"] }, numTypes, nodeTypes };
}

/**
 * Steps of R-SAGE on a graph with four relations and of SAGE on the same graph without them, in turn: other work on the
 * machine hits both alike. Widths, batches and numbers of drawn in-neighbours are the same.
 */
export async function compareTyped(choice: TypedChoice, probe: CeilingProbe) {
  const runs = { typed: typedRun(choice), plain: plainRun(choice) };
  const batches = seedBatches(choice.data, choice.batchSize, choice.seed);
  const figures = { typed: [] as TimedStep[], plain: [] as TimedStep[] };
  for (let i = 0; i < warmUp + choice.numBatches; i++) {
    const { value: batch } = batches.next();
    for (const name of ["typed", "plain"] as const) {
      const started = performance.now();
      const step = await runs[name].run(batch);
      if (i >= warmUp) figures[name].push({ ...step, wallSeconds: (performance.now() - started) / 1000 });
    }
    await probe.measure();
  }
  const [typed, plain] = [sideOf(figures.typed), sideOf(figures.plain)];
  return { typed, plain, ratio: perEdge(typed, "cpuSeconds") / perEdge(plain, "cpuSeconds") };
}

type TimedStep = BatchFigures & { readonly wallSeconds: number };

export function perEdge(side: TypedSide, seconds: "cpuSeconds" | "wallSeconds"): number {
  return side[seconds] / side.sampledEdges;
}

function sideOf(steps: readonly TimedStep[]): TypedSide {
  const secondsOf = ({ phases: of }: TimedStep) => Object.values(of).reduce((sum, seconds) => sum + seconds, 0);
  const ofPhase = (name: (typeof phases)[number]) => median(steps.map((step) => step.phases[name] ?? 0));
  return {
    cpuSeconds: median(steps.map(secondsOf)),
    wallSeconds: median(steps.map(({ wallSeconds }) => wallSeconds)),
    sampledEdges: Math.round(steps.reduce((sum, { numEdges }) => sum + numEdges, 0) / steps.length),
    split: Object.fromEntries(phases.map((name) => [name, Number(ofPhase(name).toPrecision(4))])),
  };
}

function plainRun({ data, seed, hidden, dropout, fanouts }: TypedChoice): BatchRun {
  const shape = { inDim: data.featureDim, outDim: data.numClasses, seed };
  const model = benchmarkModel({ name: "sage", hidden, numLayers: fanouts.length, dropout }, shape);
  const sampler = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed });
  return new BatchRun({ data, model, sampler, features: featuresOf(data), seed });
}

function typedRun({ data, seed, hidden, dropout, fanouts, into }: TypedChoice): BatchRun {
  const { graph, numTypes, nodeTypes } = withRelations(data.graph, into);
  const shape = { inDim: data.featureDim, outDim: data.numClasses, seed, numRelations, numNodeTypes: numTypes };
  const options = { hiddenFeats: hidden, numLayers: fanouts.length, dropout, inputDropout: 0 };
  const model = rsage.create(rsage.options.parse(options), shape, nn, { nodeTypes, typedInput: null });
  const ofEach = fanouts.map((fanout) => fanout / into);
  const sampler = createRelationSampler({ graph, fanouts: ofEach, relationFanouts: {}, replace: false, seed });
  return new BatchRun({ data, model, sampler, features: featuresOf(data), seed });
}

function featuresOf({ featureDim, features }: ShapedGraph): DenseFeatureStore {
  return new DenseFeatureStore(featureDim, [features]);
}
