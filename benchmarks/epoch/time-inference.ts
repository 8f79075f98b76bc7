import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../packages/gnn-core/src/dist/shared-rows.ts";
import { inferNodes } from "../../packages/gnn-core/src/infer/infer-nodes.ts";
import type { BatchParts } from "./batch-run.ts";
import { cpuSeconds, median } from "./cpu-clock.ts";

/** Logits and embeddings of every node, layer by layer: CPU seconds, the median of `rounds`. */
export async function timeInference({ data, model, features }: BatchParts, rounds: number): Promise<number> {
  const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: loopback() } as const;
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sharedRows = sharedRowsInMemory(); // fresh memory in each round, as the peers' scripts have
    const before = cpuSeconds();
    // A graph object of its own: what is kept with a graph counts in each round.
    const { embeddings, logits } = await inferNodes(
      { model, graph: { ...data.graph }, features, rank, signal: new AbortController().signal },
      (name, dim) => sharedRows(name, data.graph.numNodes * dim),
    );
    seconds.push(cpuSeconds() - before);
    for (const rows of [embeddings, logits]) loadAddon().freeArray(rows);
  }
  return median(seconds);
}
