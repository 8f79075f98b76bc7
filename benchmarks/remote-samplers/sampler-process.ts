/**
 * A sampler process that ours.ts forks: draws batches of the mapped graph with one thread, and says what CPU time it
 * took.
 */
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { serveSampler } from "../../packages/gnn-core/src/sampling/remote/serve-sampler.ts";
import { cpuSeconds } from "../epoch/cpu-clock.ts";
import type { FromSampler, SamplerTask } from "./sampler-messages.ts";

const tell = (message: FromSampler) => process.send?.(message);

async function serve({ dir, fanouts, seed, secret }: SamplerTask): Promise<void> {
  loadAddon().setThreads(1);
  const { graph } = await readShapedGraph(dir);
  const sampler = createBlockSampler({ graph, fanouts, replace: false, seed });
  const server = await serveSampler({ sampler, secret: Uint8Array.from(secret) });
  tell({ bench: "ready", endpoint: server.endpoint });
  await server.served(1);
  await server.close();
  process.disconnect();
}

process.on("message", (message: SamplerTask | "cpu") => {
  if (message === "cpu") tell({ bench: "cpu", seconds: cpuSeconds() });
  else void serve(message);
});
// When the benchmark ends early, so does the process.
process.on("disconnect", () => process.exit());
