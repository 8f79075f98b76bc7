/**
 * A rank that holds one part of the graph and reads the rest from the others, beside one that holds all of it and reads
 * nothing.
 */
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { connectGloo } from "../../packages/gnn-core/src/dist/gloo.ts";
import { parentRendezvous } from "../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import { DistStore } from "../../packages/gnn-core/src/dist-store/dist-store.ts";
import { partitionedData } from "../../packages/gnn-core/src/dist-store/partitioned-data.ts";
import { connectRowService } from "../../packages/gnn-core/src/dist-store/zeromq-rows.ts";
import { splitCode } from "../../packages/gnn-core/src/graph/split-nodes.ts";
import type { ClassificationData } from "../../packages/gnn-core/src/graph/training-data.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { NodeLoader } from "../../packages/gnn-core/src/sampling/node-loader.ts";
import { releaseBatch } from "../../packages/gnn-core/src/sampling/release-batch.ts";
import { epochSeeds } from "../../packages/gnn-core/src/sampling/seed-split.ts";
import { withDegrees } from "../../packages/gnn-core/src/sampling/with-degrees.ts";
import { accessProfile, cacheHotRows } from "../../packages/gnn-core/src/train/hot-rows.ts";
import { partsData } from "../../packages/gnn-core/src/train/parts-data.ts";
import { BatchRun } from "../epoch/batch-run.ts";
import { benchmarkModel } from "../epoch/benchmark-model.ts";
import { cpuSeconds } from "../epoch/cpu-clock.ts";
import type { Mode, Prepared, RankTask, RoundAnswer } from "./rank.ts";
import { hostNow, TimedCollective } from "./timed-collective.ts";

export interface PartitionedTask {
  readonly artifact: ArtifactDir;
  /** Where this rank listens: an address of its own, as on a host of its own */
  readonly address: string;
  /** Connections between ranks are encrypted with it, as in jobs */
  readonly secret: readonly number[];
  /** As `resources.remoteCache` */
  readonly cacheShare: number;
}

export interface RowsOfRound {
  readonly remoteRows: number;
  readonly remoteBytes: number;
}

const seed = 1;
/** The cache is filled from the draws of the first epochs; the batches that are timed come after all of them. */
const timedEpoch = 1000;

/** Both modes train on the same batches; apart, a rank has the whole graph in its memory and waits for nobody. */
export async function preparePartitioned(task: RankTask, parts: PartitionedTask): Promise<Prepared> {
  const { rank, worldSize, steps, batchSize } = task;
  await selectBackend("native");
  loadAddon().setThreads(1);
  const rendezvous = { rank, worldSize, store: parentRendezvous(), address: parts.address };
  const gloo = await connectGloo(rendezvous);
  const service = await connectRowService({ ...rendezvous, secret: Uint8Array.from(parts.secret) });
  const context = { rank, worldSize, localRank: 0, device: "cpu", threads: 1, collective: gloo } as const;
  const store = new DistStore(context, service);
  const held = (await partitionedData(store, parts.artifact)) as ClassificationData;
  const whole = partsData(parts.artifact) as ClassificationData;
  const trainNodes = Int32Array.from(held.split.keys()).filter((node) => held.split[node] === splitCode.train);
  const seedsOf = (epoch: number) => {
    const all = epochSeeds(trainNodes, { seed, epoch, batchSize: batchSize * worldSize, rank, worldSize });
    return all.slice(0, Math.max(1, all.length - 1)); // the last batch of an epoch is a smaller one
  };
  const batches = timedBatches(seedsOf, steps);
  const runOf = (data: ClassificationData, collective: TimedCollective) => {
    const model = benchmarkModel(task.model, { inDim: data.features.dim, outDim: data.numClasses, seed });
    const plain = createBlockSampler({ graph: data.graph, fanouts: task.fanouts, replace: false, seed });
    const sampler = model.usesDegrees ? withDegrees(plain, data.graph) : plain;
    const run = new BatchRun({ data, model, sampler, features: data.features, seed, collective });
    return { run, sampler, model, features: data.features, collective };
  };
  const runs = {
    together: runOf(held, new TimedCollective(gloo)),
    apart: runOf(whole, new TimedCollective(loopback())),
  };
  const own = held.graph.remote?.own ?? { first: 0, count: held.graph.numNodes };
  const profile = await accessProfile(
    { sampler: runs.apart.sampler, epochs: timedEpoch - 1, seedsOf },
    own,
    held.graph.numNodes,
  );
  await cacheHotRows(held.features, profile, parts.cacheShare);
  const numParameters = runs.apart.model.variables.reduce((sum, { variable }) => sum + variable.size, 0);

  const round = async (mode: Mode): Promise<RoundAnswer> => {
    const { run, sampler, features, collective } = runs[mode];
    collective.reductions.length = 0;
    const counted = store.counters();
    await gloo.barrier();
    const before = cpuSeconds();
    const startedNs = hostNow();
    for await (const batch of new NodeLoader({ sampler, features, labels: null, batches, threads: 1 })) {
      if (batch.features) await run.train({ ...batch, features: batch.features });
      releaseBatch(batch);
    }
    const endedNs = hostNow();
    const rows = rowsSince(counted, store.counters());
    const { reductions } = collective;
    return { startedNs, endedNs, cpuSeconds: cpuSeconds() - before, reductions, numParameters, rows };
  };
  const close = async () => {
    await store.close();
    await gloo.close();
  };
  return { round, close };
}

function timedBatches(seedsOf: (epoch: number) => readonly Int32Array[], steps: number) {
  const perEpoch = seedsOf(timedEpoch).length;
  return Array.from({ length: steps }, (_, index) => {
    const epoch = timedEpoch + Math.floor(index / perEpoch);
    const step = index % perEpoch;
    return { epoch, step, seeds: seedsOf(epoch)[step] as Int32Array };
  });
}

function rowsSince(before: RowsOfRound, now: RowsOfRound): RowsOfRound {
  return { remoteRows: now.remoteRows - before.remoteRows, remoteBytes: now.remoteBytes - before.remoteBytes };
}
