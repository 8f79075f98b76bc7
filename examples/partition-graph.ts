/**
 * Cuts a graph into parts, one for each host, and shows what came of it: how many edges run between parts, how even the
 * parts are, which files each has, and how nodes are relabelled so that a small table says whose a node is. (DGL's
 * tutorial of partitioning: `partition_graph` with `part_method`, `balance_ntypes`, `balance_edges`, `orig_nids`.)
 *
 *   main
 *   ├── shapedGraph             communities, features, labels and a split
 *   ├── cut                     once by METIS, once at random, into a folder each
 *   │   └── partitionGraph      part0/, part1/ …, node_map.npy
 *   ├── tellParts               nodes, in-edges, training nodes and halo of each part
 *   └── tellRelabelling         node_map[globalId] = the node's number before; parts are ranges of GlobalIds
 *
 * Run it: node --import tsx examples/partition-graph.ts [PARTS]
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  graphShapes,
  loadRegistry,
  PartitionBook,
  type PartsInfo,
  partitionGraph,
  readNpy,
  type ShapedGraph,
  scaleShape,
  shapedGraph,
} from "@hopwise/gnn-core";
import { asArtifact } from "./support/as-artifact.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

async function main(numParts: number): Promise<void> {
  const data = await shapedGraph(scaleShape(graphShapes["products-shaped"], 0.002), 1);
  const dir = await mkdtemp(join(tmpdir(), "hopwise-cut-"));
  try {
    for (const type of ["random", "metis"]) {
      const { report } = await cut(data, type, numParts, join(dir, type));
      console.log(`${type}: ${percent(report.edgeCut)} of the edges run between parts`);
      if (type === "metis") tellParts(report, data);
    }
    await tellRelabelling(join(dir, "metis"), numParts);
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Parts that are even in nodes, in in-edges and in training nodes, as far as the partitioner can. */
async function cut(data: ShapedGraph, type: string, numParts: number, outDir: string): Promise<PartsInfo> {
  const partitioner = (await loadRegistry()).get("partitioner", type);
  const balance = type === "metis" ? { balance: ["nodes", "inEdges", "train"] } : {};
  const { info } = await partitionGraph({
    graph: asArtifact(data),
    partitioner,
    options: partitioner.options.parse({ numParts, ...balance }),
    split: data.split,
    outDir,
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  return info;
}

function tellParts({ parts, imbalance }: PartsInfo["report"], { graph }: ShapedGraph): void {
  for (const { part, nodes, edges, trainNodes, haloNodes } of parts)
    console.log(`part ${part}: ${nodes} nodes, ${edges} in-edges, ${trainNodes} training nodes, ${haloNodes} in halo`);
  const most = [imbalance.nodes, imbalance.edges, imbalance.train].map((one) => one.toFixed(3)).join(", ");
  console.log(`largest part over the mean, by nodes, in-edges and training nodes: ${most}`);
  console.log(`in all ${parts.reduce((sum, { nodes }) => sum + nodes, 0)} of ${graph.numNodes} nodes`);
}

/** GlobalIds run through the parts one after the other: who owns a node is found among as many numbers as parts. */
async function tellRelabelling(dir: string, numParts: number): Promise<void> {
  const { values: nodeMap } = await readNpy(join(dir, "node_map.npy"), "int32");
  const files: string[][] = [];
  const offsets = [0];
  for (let part = 0; part < numParts; part++) {
    files.push((await readdir(join(dir, `part${part}`))).toSorted());
    const { values: labels } = await readNpy(join(dir, `part${part}/labels.npy`), "int32");
    offsets.push((offsets[part] as number) + labels.length);
  }
  console.log(`files of each part: ${files[0]?.join(", ")}`);
  const book = new PartitionBook(offsets, offsets);
  const asked = Int32Array.of(0, nodeMap.length - 1);
  const owners = book.nodeToPart(asked);
  for (const [i, globalId] of asked.entries())
    console.log(`GlobalId ${globalId} is node ${nodeMap[globalId]}, of part ${owners[i]}`);
}

await main(Number(process.argv[2] ?? 4));
