/** Partitions a graph while it sends itself SIGTERM; prints how many reached Node and how many nodes were assigned. */
import { metisPartitioner } from "../../src/partition/metis.partitioner.ts";
import { partitionInput } from "../support/partition-input.ts";

const numNodes = 20_000;
const src = Array.from({ length: 6 * numNodes }, (_, i) => i % numNodes);
const dst = src.map((node, i) => (node * 31 + i * 7919) % numNodes);
const input = await partitionInput(numNodes, { src, dst }, 4, 0);

let numSignals = 0;
process.on("SIGTERM", () => {
  numSignals += 1;
});
const timer = setInterval(() => process.kill(process.pid, "SIGTERM"), 5);
const assignment = await metisPartitioner.assign(
  input,
  metisPartitioner.options.parse({}),
  new AbortController().signal,
);
clearInterval(timer);
console.log(JSON.stringify({ numSignals, numAssigned: assignment.length }));
