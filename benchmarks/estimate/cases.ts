import type { GraphShape } from "../../packages/gnn-core/src/generate/graph-shape.ts";

/** Graphs from 600 to 6,000,000 stored edges. */
export type GraphName = "hamlet" | "town" | "city" | "nation";

export interface Case {
  readonly graph: GraphName;
  /** Sections of a job spec; what is not said has the job spec's default. */
  readonly spec: {
    readonly model: { readonly type: string; readonly options?: Record<string, unknown> };
    readonly sampling: { readonly type: string; readonly options?: Record<string, unknown> };
    readonly train: Record<string, unknown>;
    readonly resources?: Record<string, unknown>;
  };
}

const common = {
  blocksPerClass: 2,
  degreeSpread: 0.9,
  homophily: [8, 1.6],
  signal: 2.5,
  labelNoise: 0.05,
  trainShare: 0.3,
  valShare: 0.1,
  testShare: 0.2,
  split: "random",
} as const;
const evenly = (numClasses: number) => Array<number>(numClasses).fill(1 / numClasses);

export const shapes: Record<GraphName, GraphShape> = {
  hamlet: { ...common, numNodes: 150, numPairs: 300, featureDim: 16, classPrior: evenly(3), maxDegree: 20 },
  town: { ...common, numNodes: 3000, numPairs: 12_000, featureDim: 256, classPrior: evenly(7), maxDegree: 200 },
  city: { ...common, numNodes: 34_000, numPairs: 500_000, featureDim: 128, classPrior: evenly(20), maxDegree: 2000 },
  nation: {
    ...common,
    numNodes: 200_000,
    numPairs: 3_000_000,
    featureDim: 64,
    classPrior: evenly(10),
    maxDegree: 8000,
  },
};

const full = { type: "full" };
const neighbor = { type: "neighbor", options: { fanouts: [10, 10] } };

function job(graph: GraphName, model: string, epochs: number, further: Partial<Case["spec"]> = {}): Case {
  const options = model === "sgc" ? {} : { hiddenFeats: 64 };
  const { train, ...others } = further;
  return {
    graph,
    spec: { model: { type: model, options }, sampling: full, ...others, train: { epochs, ...train } },
  };
}

const wholeGraph = { train: { batchSize: 65_536 } };

/** Twenty jobs: five on each graph. The order is that in which they are run. */
export const cases: readonly Case[] = [
  job("hamlet", "sage", 20, { sampling: neighbor }),
  job("hamlet", "sage", 400, { sampling: neighbor }),
  job("hamlet", "gcn", 100),
  job("hamlet", "gat", 50, { model: { type: "gat", options: { hiddenFeats: 32, heads: 4 } } }),
  job("hamlet", "mlp", 100),
  job("town", "sage", 30, { sampling: neighbor, train: { batchSize: 256 } }),
  job("town", "gcn", 200),
  job("town", "gat", 50),
  job("town", "appnp", 60),
  job("town", "sage", 30, { sampling: neighbor, resources: { ranks: 2 } }),
  job("city", "sage", 10, { sampling: neighbor }),
  job("city", "gcn", 20, wholeGraph),
  job("city", "gat", 5, wholeGraph),
  job("city", "sgc", 30, wholeGraph),
  job("city", "mlp", 20),
  job("nation", "sage", 3, { sampling: neighbor }),
  job("nation", "sage", 3, { sampling: neighbor, resources: { ranks: 2 } }),
  job("nation", "gcn", 4, wholeGraph),
  job("nation", "gat", 1, wholeGraph),
  job("nation", "sgc", 10, wholeGraph),
];

/** For the project's own tests: the two smallest graphs, few epochs. */
export const fewCases: readonly Case[] = [
  job("hamlet", "sage", 10, { sampling: neighbor }),
  job("hamlet", "gcn", 10),
  job("town", "sage", 3, { sampling: neighbor }),
];
