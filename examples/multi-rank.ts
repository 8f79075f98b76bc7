/**
 * Trains one model on several ranks: a process each, the same code in all of them, one all-reduce of gradients a step.
 * (The DGL tutorial forks a process for each GPU, splits the seeds and calls `dist.all_reduce` for every parameter.)
 *
 *   main                        forks the ranks and keeps the store where they find each other's addresses
 *   └── rank                    in each process
 *       ├── connectGloo         all ranks are connected when it resolves
 *       ├── readShapedGraph     maps the files: one copy of graph and features for all ranks
 *       ├── Trainer.create      `rank` says who this process is; seeds are split equally by construction
 *       └── trainer.fit         equal numbers of steps, sums of gradients divided by the global weight
 *
 * Run it: node --import tsx examples/multi-rank.ts [RANKS]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  connectGloo,
  DenseFeatureStore,
  generateShapedGraph,
  graphShapes,
  parentRendezvous,
  readShapedGraph,
  scaleShape,
  serveRendezvous,
  sharedRowsIn,
  Trainer,
} from "@hopwise/gnn-core";

async function main(worldSize: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-ranks-"));
  await generateShapedGraph(dir, scaleShape(graphShapes["products-shaped"], 0.002), { seed: 1 });
  const processes = Array.from({ length: worldSize }, (_, rank) =>
    fork(fileURLToPath(import.meta.url), [String(worldSize), String(rank), dir]),
  );
  serveRendezvous(processes);
  const codes = await Promise.all(processes.map(async (process) => (await once(process, "exit"))[0] as number));
  await rm(dir, { recursive: true });
  if (codes.some((code) => code !== 0)) process.exitCode = 1;
}

async function rank(worldSize: number, rank: number, dir: string): Promise<void> {
  const collective = await connectGloo({ rank, worldSize, store: parentRendezvous() });
  const { features, featureDim, ...data } = await readShapedGraph(dir);
  const trainer = await Trainer.create({
    data: { ...data, features: new DenseFeatureStore(featureDim, [features]) },
    rank: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective },
    sharedRows: sharedRowsIn(dir),
    options: {
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 10] } },
      train: { epochs: 20, batchSize: 64, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { steps, metrics } = await trainer.fit();
  const accuracy = `${(100 * (metrics["test/accuracy"] ?? 0)).toFixed(1)} %`;
  console.log(`rank ${rank} of ${worldSize}: ${steps} steps, test accuracy ${accuracy}`);
  trainer.dispose();
  await collective.close();
  process.disconnect();
}

const [worldSize = "2", ofRank, dir = ""] = process.argv.slice(2);
if (ofRank === undefined) await main(Number(worldSize));
else await rank(Number(worldSize), Number(ofRank), dir);
