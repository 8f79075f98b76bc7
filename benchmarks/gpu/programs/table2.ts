/**
 * The grid of Table 2 (benchmarks/table2) on devices, of which each rank has one: GraphSAGE and GAT, 512, 1,024 and
 * 2,048 seeds per rank, on a graph of Reddit's whole size, with 1, 2, 4 and 8 ranks, as far as there are devices.
 * Seconds of an epoch by rank 0, whose steps end with those of all: the mean of those between the first epoch, which
 * warms up, and the last, which is evaluated.
 */
import { dirname, join } from "node:path";
import { generateShapedGraph } from "../../../packages/gnn-core/src/generate/generate-shaped-graph.ts";
import { graphShapes, scaleShape } from "../../../packages/gnn-core/src/generate/graph-shape.ts";
import { batchSizes, sourceSeconds, type TableModel } from "../../table2/source.ts";
import { type RankAnswer, type RankTask, trainRank } from "../../table2/train-rank.ts";
import { device, graphDir, isSmall, rounded, tell } from "./arguments.ts";
import { environmentsOf, severalDevices } from "./devices-here.ts";
import { type Rank, RankProgram } from "./rank-processes.ts";

interface Setting {
  readonly model: TableModel;
  readonly batchSize: number;
}

const dir = join(dirname(graphDir), "reddit");
const epochs = 4;
const models: readonly TableModel[] = isSmall ? ["sage"] : ["sage", "gat"];
const batches: readonly number[] = isSmall ? [64] : batchSizes;
const settings = models.flatMap((model) => batches.map((batchSize): Setting => ({ model, batchSize })));

const trainAsRank = (setting: Setting, { rank, worldSize }: Rank): Promise<RankAnswer> => {
  const task: RankTask = { ...setting, dir, rank, worldSize, epochs, hidden: isSmall ? 8 : null, device };
  return trainRank(task);
};
const program = new RankProgram(trainAsRank);

if (!(await program.isRank())) {
  const whole = graphShapes["reddit-shaped"];
  const shape = isSmall ? scaleShape({ ...whole, featureDim: 8 }, 0.002) : whole;
  const { numEdges } = await generateShapedGraph(dir, shape, { seed: 1, memoryBytes: 8 * 2 ** 30 });
  const environments = await environmentsOf(severalDevices());
  tell({ numNodes: shape.numNodes, numEdges, devices: environments.length });
  for (const ranks of [1, 2, 4, 8].filter((count) => count <= environments.length)) {
    for (const setting of settings) tell(await rowOf(setting, environments.slice(0, ranks)));
  }
}

async function rowOf(setting: Setting, environments: readonly NodeJS.ProcessEnv[]) {
  const [first] = (await program.run(setting, environments)) as [RankAnswer];
  const { model, batchSize } = setting;
  const source = sourceSeconds(model, environments.length, batchSize);
  return {
    model,
    ranks: environments.length,
    batchPerRank: batchSize,
    stepsPerEpoch: first.steps / epochs,
    secondsPerEpoch: rounded(mean(first.epochSeconds.slice(0, -1))),
    valAccuracy: rounded(first.valAccuracy),
    ...(source && { sourcePyg: source.pyg, sourceDgl: source.dgl }),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
