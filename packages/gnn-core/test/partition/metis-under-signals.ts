/**
 * Runs METIS in this process while it sends itself SIGTERM; prints how many reached Node and how many nodes were
 * assigned.
 */
import { loadAddon } from "../../src/backends/native/addon.ts";
import { partitionInput } from "../support/partition-input.ts";

const numNodes = 20_000;
const src = Array.from({ length: 6 * numNodes }, (_, i) => i % numNodes);
const dst = src.map((node, i) => (node * 31 + i * 7919) % numNodes);
const input = await partitionInput(numNodes, { src, dst }, 4, 0);

const counted = { signals: 0 };
process.on("SIGTERM", () => {
  counted.signals += 1;
});
const timer = setInterval(() => process.kill(process.pid, "SIGTERM"), 5);
const { xadj, adjncy } = await input.adjacency();
let assignment: Int32Array;
do {
  assignment = await loadAddon().metisPartition(xadj, adjncy, input.nodeWeights, 1, 4, false, false, 0);
} while (counted.signals === 0); // a quick run ends before the first signal
clearInterval(timer);
console.log(JSON.stringify({ numSignals: counted.signals, numAssigned: assignment.length }));
