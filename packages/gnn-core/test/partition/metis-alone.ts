/** Starts METIS on a graph that keeps it busy for long, and prints the id of its process. */
import { runMetis } from "../../src/partition/metis-process.ts";
import { partitionInput } from "../support/partition-input.ts";

const numNodes = 300_000;
const src = Array.from({ length: 6 * numNodes }, (_, i) => i % numNodes);
const dst = src.map((node, i) => (node * 31 + i * 7919) % numNodes);
const input = await partitionInput(numNodes, { src, dst }, 64, 0);
const graph = await input.adjacency();
await runMetis({
  ...input,
  graph,
  method: "kway",
  objective: "cut",
  signal: new AbortController().signal,
  onStart: (pid) => console.log(pid),
});
