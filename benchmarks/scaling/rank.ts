/** One of the ranks that ours.ts forks: trains rounds of steps with the others or on its own, as it is told. */
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { connectGloo } from "../../packages/gnn-core/src/dist/gloo.ts";
import { parentRendezvous } from "../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { withDegrees } from "../../packages/gnn-core/src/sampling/with-degrees.ts";
import { BatchRun } from "../epoch/batch-run.ts";
import { benchmarkModel, type ModelChoice } from "../epoch/benchmark-model.ts";
import { cpuSeconds } from "../epoch/cpu-clock.ts";
import { seedBatches } from "../epoch/seed-batches.ts";
import { type PartitionedTask, preparePartitioned, type RowsOfRound } from "./partitioned-rank.ts";
import { hostNow, type Reduction, TimedCollective } from "./timed-collective.ts";

export interface RankTask {
  readonly dir: string;
  /** The graph cut into as many parts as there are ranks; null: every rank holds the whole graph */
  readonly parts: PartitionedTask | null;
  readonly rank: number;
  readonly worldSize: number;
  readonly model: ModelChoice;
  readonly fanouts: number[];
  readonly batchSize: number;
  readonly steps: number;
}

/** A rank that waits for its rounds */
export interface Prepared {
  round(mode: Mode): Promise<RoundAnswer>;
  close(): Promise<void>;
}

/** together: gradients are summed over the ranks in each step; apart: nobody waits for anybody */
export type Mode = "together" | "apart";

export interface RoundAnswer {
  readonly startedNs: number;
  readonly endedNs: number;
  readonly cpuSeconds: number;
  readonly reductions: Reduction[];
  readonly numParameters: number;
  /** What the row service counted in the round; null where nothing is partitioned */
  readonly rows: RowsOfRound | null;
}

/** Every round and mode trains on the same batches, so that only the reduction differs; each rank draws its own. */
async function prepareShared({ dir, rank, worldSize, model, fanouts, batchSize, steps }: RankTask): Promise<Prepared> {
  await selectBackend("native");
  loadAddon().setThreads(1);
  const gloo = await connectGloo({ rank, worldSize, store: parentRendezvous() });
  const data = await readShapedGraph(dir);
  const trained = benchmarkModel(model, { inDim: data.featureDim, outDim: data.numClasses, seed: 1 });
  const features = new DenseFeatureStore(data.featureDim, [data.features]);
  const plain = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed: 1 });
  const sampler = trained.usesDegrees ? withDegrees(plain, data.graph) : plain;
  const source = seedBatches(data, batchSize, 1 + rank);
  const batches = Array.from({ length: steps }, () => source.next().value);
  const numParameters = trained.variables.reduce((sum, { variable }) => sum + variable.size, 0);
  const runOf = (collective: TimedCollective) => ({
    collective,
    run: new BatchRun({ data, model: trained, sampler, features, seed: 1, collective }),
  });
  const runs = { together: runOf(new TimedCollective(gloo)), apart: runOf(new TimedCollective(loopback())) };
  const round = async (mode: Mode): Promise<RoundAnswer> => {
    const { run, collective } = runs[mode];
    collective.reductions.length = 0;
    await gloo.barrier();
    const before = cpuSeconds();
    const startedNs = hostNow();
    for (const batch of batches) await run.run(batch);
    const endedNs = hostNow();
    const { reductions } = collective;
    return { startedNs, endedNs, cpuSeconds: cpuSeconds() - before, reductions, numParameters, rows: null };
  };
  return { round, close: () => gloo.close() };
}

let prepared: Promise<Prepared> | undefined;

async function answer(message: { task?: RankTask; mode?: Mode; end?: true }): Promise<void> {
  const { task } = message;
  if (task) prepared = task.parts ? preparePartitioned(task, task.parts) : prepareShared(task);
  if (message.mode) process.send?.({ answer: await (await prepared)?.round(message.mode) });
  if (!message.end) return;
  await (await prepared)?.close();
  process.disconnect();
}

process.on("message", (message: object) => void answer(message));
