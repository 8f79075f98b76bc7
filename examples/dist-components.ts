/**
 * The parts of a distributed program, one after the other, on one rank or several: a graph of which each rank holds a
 * range, tensors and embeddings whose rows lie with their owners and are named by GlobalId, in-edges drawn where they
 * lie, and a training set in equal shares. (DGL's tutorial of distributed components: `DistGraph`, `DistTensor`,
 * `DistEmbedding`, `SparseAdagrad`, `sample_neighbors`, `node_split`.)
 *
 *   onRanks                     forks the ranks; one rank runs here, standalone
 *   └── program                 in each process, the same
 *       ├── DistGraph.create    every rank brings its range of nodes and their in-edges
 *       ├── DistTensor          written by any rank, read by all after `publish`
 *       ├── DistEmbedding       gradients are summed with the owners, which update the touched rows alone
 *       ├── sampleNeighbors     the same edges on any number of ranks
 *       └── nodeSplit           this rank's training nodes, mostly its own
 *
 * Run it: node --import tsx examples/dist-components.ts [RANKS]
 */
import {
  type CscGraph,
  constantRows,
  cutGraph,
  DistEmbedding,
  DistGraph,
  type DistStore,
  DistTensor,
  graphFromEdges,
  type MaskTensor,
  SparseAdagrad,
} from "@hopwise/gnn-core";
import { onRanks } from "./support/on-ranks.ts";

const numNodes = 12;

async function program(store: DistStore): Promise<void> {
  const { rank, worldSize } = store.rank;
  const say = (text: string) => console.log(`rank ${rank} of ${worldSize}: ${text}`);
  // Every third node is a training node.
  const trainMask = Uint8Array.from({ length: numNodes }, (_, node) => (node % 3 === 0 ? 1 : 0));
  const rows = { trainMask: { dtype: "uint8" as const, rowShape: [], values: trainMask } };
  const graph = await DistGraph.create(store, "ring", cutGraph(await ring(), store.rank, rows));
  const { first, count } = graph.book.partToNodes(rank);
  say(`holds nodes ${first} to ${first + count - 1} of ${graph.numNodes}`);

  // Each rank writes the rows of the next one; whoever asks after the barrier reads them.
  const tensor = await DistTensor.create(store, { name: "squares", shape: [numNodes, 2], dtype: "float32" });
  const theirs = ids(graph, (rank + 1) % worldSize);
  await tensor.set(theirs, Float32Array.from([...theirs].flatMap((id) => [id, id * id])));
  await store.publish();
  say(`squares ${[...(await tensor.get(Int32Array.of(0, 5, 11)))].join(" ")}`);

  // loss = Σ(row + 1): every rank pushes a gradient of one for rows 0 to 3, and the owners sum them.
  const embedding = await DistEmbedding.create(store, {
    name: "rows",
    numRows: numNodes,
    dim: 1,
    init: constantRows(1),
  });
  const optimizer = new SparseAdagrad([embedding], { lr: 0.1 });
  const touched = Int32Array.of(0, 1, 2, 3);
  await embedding.pushGradients(touched, new Float32Array(4).fill(1 / worldSize));
  await optimizer.step();
  const updated = await embedding.get(Int32Array.of(0, 3, 4));
  say(`rows ${[...updated].map((value) => value.toFixed(3)).join(" ")}`);

  const drawn = await graph.sampleNeighbors(Int32Array.of(0, 6), 2, { seed: 1 });
  say(`in-neighbours of 0 and 6: ${[...drawn.entries].join(" ")}`);
  const share = await graph.nodeSplit(graph.ndata["trainMask"] as MaskTensor);
  const steps = `steps of two: ${share.numSteps(2)}`;
  say(`trains on ${[...share.ids].join(" ")}, ${share.ids.length} of ${share.total} nodes; ${steps}`);
  await store.close();
}

/** The GlobalIds of a rank. */
function ids({ book }: DistGraph, rank: number): Int32Array {
  const { first, count } = book.partToNodes(rank);
  return Int32Array.from({ length: count }, (_, i) => first + i);
}

/** Each node is followed by the next two. Every rank makes the same graph. */
async function ring(): Promise<CscGraph> {
  const src = Array.from({ length: 2 * numNodes }, (_, edge) => edge % numNodes);
  const dst = src.map((node, edge) => (node + (edge < numNodes ? 1 : 2)) % numNodes);
  return graphFromEdges({ src, dst, numNodes, directed: true });
}

await onRanks(program);
