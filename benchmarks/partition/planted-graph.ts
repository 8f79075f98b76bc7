import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { collectGraph } from "../../packages/gnn-core/src/generate/collect-graph.ts";
import { type GraphShape, scaleShape } from "../../packages/gnn-core/src/generate/graph-shape.ts";
import { blockModel } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import type { CscGraph } from "../../packages/gnn-core/src/graph/csc-graph.ts";
import { StepProgress } from "../../packages/gnn-core/src/io/step-progress.ts";

const numCommunities = 200;
/** An edge leaves its community with chance 1 - 3/4, and of those that may end anywhere some come back. */
const planted: GraphShape = {
  numNodes: 1_000_000,
  numPairs: 15_700_000,
  featureDim: 1,
  classPrior: Array<number>(numCommunities).fill(1 / numCommunities),
  blocksPerClass: 1,
  degreeSpread: 1,
  maxDegree: 9_500,
  homophily: [30, 10],
  signal: 1,
  labelNoise: 0,
  trainShare: 0.08,
  valShare: 0.04,
  testShare: 0.2,
  split: "random",
};

/** A graph of 200 planted communities with three quarters of its edges inside them; ids carry no locality. */
export async function plantedGraph(scale: number): Promise<{ graph: CscGraph; split: Int8Array }> {
  const shape = scaleShape(planted, scale);
  const { numNodes, numPairs } = shape;
  const model = await blockModel(shape, 1);
  const progress = new StepProgress({ onEvent: () => {}, signal: new AbortController().signal });
  const graph = await collectGraph({ source: model, numNodes, numPairs, seed: 1 }, progress);
  return { graph, split: await loadAddon().generatedSplit(model) };
}
