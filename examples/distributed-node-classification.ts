/**
 * Cuts a graph into parts, trains on them where each rank has the files of its own part alone, and brings the
 * embeddings back to the nodes' own order. On one rank, standalone, `train` is the same and so are its losses. (DGL's
 * tutorial of distributed node classification: `partition_graph` with `balance_ntypes` and `balance_edges`,
 * `DistGraph`, `node_split`, `DistributedDataParallel`, `orig_node_emb[nmap] = node_emb`; no ip_config, ssh or shared
 * folder.)
 *
 *   main
 *   ├── partition               METIS, even in nodes, in-edges and training nodes → part0/, part1/ …, node_map.npy
 *   ├── handOut                 each rank gets a folder with its own part, as if it were another host's
 *   ├── train                   in a process for each rank; one rank trains here
 *   │   ├── partitionedData     maps the rank's part; rows and in-edges of other nodes are asked of their owners
 *   │   ├── trainer.fit         the same global batches on any number of ranks, a rank's seeds mostly its own nodes
 *   │   └── trainer.infer       each rank computes its own nodes; rank 0 collects the rows, by GlobalId
 *   └── remap                   original[node_map[globalId]] = row of globalId
 *
 * Run it: node --import tsx examples/distributed-node-classification.ts [RANKS]
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  buildManifest,
  connectGloo,
  connectRowService,
  DistStore,
  graphShapes,
  loadRegistry,
  manifest,
  parentRendezvous,
  partitionedData,
  partitionGraph,
  readNpy,
  type ShapedGraph,
  scaleShape,
  serveRendezvous,
  shapedGraph,
  sharedRowsIn,
  Trainer,
  writeNpy,
} from "@hopwise/gnn-core";
import { asArtifact } from "./support/as-artifact.ts";

const dim = 32;

async function main(worldSize: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-parts-"));
  const shape = { ...scaleShape(graphShapes["reddit-shaped"], 0.006), numPairs: 20_000, featureDim: 32 };
  const data = await shapedGraph(shape, 1);
  const numParts = Math.max(2, worldSize);
  await partition(data, dir, numParts);
  await handOut(dir, numParts, worldSize);
  if (worldSize === 1) await train(DistStore.standalone(), join(dir, "rank0"));
  else await trainOnRanks(dir, worldSize);
  if (process.exitCode === undefined) await remap(dir, data.labels);
  await rm(dir, { recursive: true });
}

/** DGL: partition_graph(g, name, num_parts, out_path, balance_ntypes=g.ndata["train_mask"], balance_edges=True) */
async function partition(data: ShapedGraph, dir: string, numParts: number): Promise<void> {
  const metis = (await loadRegistry()).get("partitioner", "metis");
  const draft = await partitionGraph({
    graph: asArtifact(data),
    partitioner: metis,
    options: metis.options.parse({ numParts, balance: ["nodes", "inEdges", "train"] }),
    split: data.split,
    outDir: dir,
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  const about = { kind: "parts", step: "partition", stepVersion: 1, engine: "example", inputs: {}, options: {} };
  await writeFile(join(dir, "manifest.json"), JSON.stringify(await buildManifest(dir, draft, about)));
}

/** What a worker's cache does for a job: the manifest for every rank, and no part twice. */
async function handOut(dir: string, numParts: number, worldSize: number): Promise<void> {
  for (let part = 0; part < numParts; part++) {
    const rankDir = join(dir, `rank${Math.floor((part * worldSize) / numParts)}`);
    await mkdir(rankDir, { recursive: true });
    await copyFile(join(dir, "manifest.json"), join(rankDir, "manifest.json"));
    await rename(join(dir, `part${part}`), join(rankDir, `part${part}`));
  }
}

/** The program of every rank, on the files in `dir` alone. */
async function train(store: DistStore, dir: string): Promise<void> {
  const parts = manifest.parse(JSON.parse(await readFile(join(dir, "manifest.json"), "utf8")));
  const data = await partitionedData(store, { dir, manifest: parts });
  const { rank, worldSize } = store.rank;
  const trainer = await Trainer.create({
    data,
    rank: store.rank,
    sharedRows: sharedRowsIn(dir),
    options: {
      model: { type: "sage", options: { hiddenFeats: dim, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 5] } },
      train: { epochs: 8, batchSize: 128, optimizer: { type: "adam", options: { lr: 0.01 } } },
      graph: "partitioned",
    },
  });
  const losses: (number | null | undefined)[] = [];
  const { metrics } = await trainer.fit({
    onEvent: (event) => {
      if (event.type === "metrics" && "train/loss" in event.values) losses.push(event.values["train/loss"]);
    },
  });
  const { embeddings } = await trainer.infer();
  const { numNodes, remote } = data.graph;
  if (rank === 0) {
    await writeNpy(join(dir, "embeddings.npy"), "float32", [numNodes, dim], embeddings);
    console.log(`losses ${losses.map((loss) => loss?.toFixed(7)).join(" ")}`);
  }
  console.log(
    `rank ${rank} of ${worldSize}: ${remote?.own.count} of ${numNodes} nodes, ` +
      `${store.counters().remoteRows} rows read from other ranks, ` +
      `test accuracy ${(100 * (metrics["test/accuracy"] ?? 0)).toFixed(1)} %`,
  );
  trainer.dispose();
  await store.close();
}

/** DGL: orig_node_emb[node_map] = node_emb. Tells how often the nearest of 200 nodes is of a node's own class. */
async function remap(dir: string, labels: Int32Array): Promise<void> {
  const { values: nodeMap } = await readNpy(join(dir, "node_map.npy"), "int32");
  const { values: rows } = await readNpy(join(dir, "rank0/embeddings.npy"), "float32");
  const original = new Float32Array(rows.length);
  for (const [globalId, node] of nodeMap.entries()) {
    original.set(rows.subarray(globalId * dim, (globalId + 1) * dim), node * dim);
  }
  const row = (node: number) => original.subarray(node * dim, (node + 1) * dim);
  const cosine = (a: Float32Array, b: Float32Array) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  const nodes = Array.from({ length: 200 }, (_, node) => node);
  const alike = nodes.filter((node) => {
    const others = nodes.filter((other) => other !== node);
    const near = others.map((other) => cosine(row(node), row(other)));
    return labels[others[near.indexOf(Math.max(...near))] as number] === labels[node];
  });
  const share = ((100 * alike.length) / nodes.length).toFixed(1);
  console.log(`${nodeMap.length} embeddings in the nodes' own order: nearest node of the same class ${share} %`);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}

async function trainOnRanks(dir: string, worldSize: number): Promise<void> {
  const secret = randomBytes(32).toString("hex");
  const ranks = Array.from({ length: worldSize }, (_, rank) =>
    fork(fileURLToPath(import.meta.url), [String(worldSize), String(rank), join(dir, `rank${rank}`)], {
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
  const rendezvous = parentRendezvous();
  const collective = await connectGloo({ rank, worldSize, store: rendezvous });
  const rows = await connectRowService({ rank, worldSize, store: rendezvous, secret });
  const context = {
    rank,
    worldSize,
    localRank: 0,
    numHosts: worldSize,
    device: "cpu",
    threads: 1,
    collective,
  } as const;
  await train(new DistStore(context, rows), dir);
  await collective.close();
  process.disconnect();
}

const [worldSize = "2", ofRank, dir = ""] = process.argv.slice(2);
if (ofRank === undefined) await main(Number(worldSize));
else await oneOf(Number(worldSize), Number(ofRank), dir);
