/**
 * GraphSAGE on nodes that have nothing but edges: what the model reads of a node is a row that is learnt with it, on
 * one rank or several. A row lies with one rank, which is sent the gradients of all and updates it: rows that no batch
 * has touched stay as they are. (DGL's tutorial of distributed GraphSage with embeddings: `DistEmbedding`,
 * `SparseAdagrad` beside the optimizer of the dense weights.)
 *
 *   main                        forks the ranks; one rank runs here
 *   └── train                   in each process
 *       ├── noFeatures          the graph brings no columns
 *       ├── Trainer.create      `features.embedding` asks for the rows, and says how they follow from gradients
 *       └── trainer.fit         the losses do not depend on the number of ranks, but for the last places
 *
 * Run it: node --import tsx examples/sage-without-features.ts [RANKS]
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  connectGloo,
  connectRowService,
  noFeatures,
  parentRendezvous,
  type RankContext,
  type RowService,
  serveRendezvous,
  sharedRowsIn,
  splitCode,
  Trainer,
} from "@hopwise/gnn-core";
import { madeUpCommunities } from "./embeddings/communities.ts";

const numNodes = 1200;
const numGroups = 4;

async function train(dir: string, rank?: RankContext): Promise<void> {
  const { graph, labels } = await madeUpCommunities(numNodes, numGroups);
  // Five of ten nodes of a community are learnt from; what the others tell is known at the end.
  const sides = ["train", "train", "train", "train", "train", "val", "val", "test", "test", "test"] as const;
  const split = labels.map((_, node) => splitCode[sides[Math.floor(node / numGroups) % 10] ?? "none"]);
  const trainer = await Trainer.create({
    data: { graph, features: noFeatures(numNodes), labels, split: Int8Array.from(split), numClasses: numGroups },
    ...(rank && { rank }),
    sharedRows: sharedRowsIn(dir),
    options: {
      model: { type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [8, 8] } },
      features: { embedding: { dim: 16, optimizer: { type: "sparseAdagrad", options: { lr: 0.2 } } } },
      train: { epochs: 12, batchSize: 100, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const losses: number[] = [];
  const { metrics } = await trainer.fit({
    onEvent: (event) => {
      if (event.type === "metrics" && event.values["train/loss"] != null) losses.push(event.values["train/loss"]);
    },
  });
  trainer.dispose();
  const { rank: own = 0, worldSize = 1 } = rank ?? {};
  const accuracy = `${(100 * (metrics["test/accuracy"] ?? 0)).toFixed(1)} %`;
  if (own === 0) console.log(`losses ${losses.map((loss) => loss.toFixed(6)).join(" ")}`);
  console.log(`rank ${own} of ${worldSize}: test accuracy ${accuracy}`);
}

async function main(worldSize: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-rows-"));
  if (worldSize === 1) await train(dir);
  else await trainOnRanks(worldSize, dir);
  await rm(dir, { recursive: true });
}

async function trainOnRanks(worldSize: number, dir: string): Promise<void> {
  const secret = randomBytes(32).toString("hex");
  const ranks = Array.from({ length: worldSize }, (_, rank) =>
    fork(fileURLToPath(import.meta.url), [String(worldSize), String(rank), dir], {
      // The environment, unlike arguments, is the user's own to read.
      env: { ...process.env, ROWS_SECRET: secret },
    }),
  );
  serveRendezvous(ranks);
  const codes = await Promise.all(ranks.map(async (rank) => (await once(rank, "exit"))[0] as number));
  if (codes.some((code) => code !== 0)) process.exitCode = 1;
}

async function oneOf(worldSize: number, rank: number, dir: string): Promise<void> {
  const secret = Buffer.from(process.env["ROWS_SECRET"] ?? "", "hex");
  const store = parentRendezvous();
  const collective = await connectGloo({ rank, worldSize, store });
  let rows: Promise<RowService> | null = null;
  const connectRows = () => {
    rows ??= connectRowService({ rank, worldSize, store, secret });
    return rows;
  };
  await train(dir, { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective, connectRows });
  await (await connectRows()).close();
  await collective.close();
  process.disconnect();
}

const [worldSize = "1", ofRank, dir = ""] = process.argv.slice(2);
if (ofRank === undefined) await main(Number(worldSize));
else await oneOf(Number(worldSize), Number(ofRank), dir);
