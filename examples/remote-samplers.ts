/**
 * Trains with batches that other processes draw, on this host or others: they draw ahead while the trainer computes.
 * (The DGL demo runs `SamplerSender(addr)` in them and `SamplerReceiver(graph, ip, n)` in the trainer.)
 *
 *   main                          forks two sampler processes and a trainer, and keeps the store they meet in
 *   ├── sampler                   in two processes
 *   │   ├── readShapedGraph       maps the files: no second copy of the graph
 *   │   ├── serveSampler          draws what the trainer asks for, until it is done
 *   │   └── store.set             says where it listens
 *   └── trainer
 *       ├── remoteSampler         connects with both; its blocks have the bits of those drawn here
 *       ├── Trainer.create        the one changed line: `sampler`
 *       └── trainer.fit
 *
 * Run it: node --import tsx examples/remote-samplers.ts [SAMPLERS]
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createBlockSampler,
  DenseFeatureStore,
  generateShapedGraph,
  giveUpAfter,
  graphShapes,
  parentRendezvous,
  type RemoteSampler,
  readShapedGraph,
  remoteSampler,
  scaleShape,
  serveRendezvous,
  serveSampler,
  Trainer,
} from "@hopwise/gnn-core";

const fanouts = [10, 5];
const seed = 0;
const waitMs = 30_000;

async function main(numSamplers: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-samplers-"));
  await generateShapedGraph(dir, scaleShape(graphShapes["products-shaped"], 0.002), { seed: 1 });
  const start = (role: string, number: number) => fork(fileURLToPath(import.meta.url), [role, String(number), dir]);
  const samplers = Array.from({ length: numSamplers }, (_, index) => start("sampler", index));
  const processes = [...samplers, start("trainer", numSamplers)];
  serveRendezvous(processes);
  const codes = await Promise.all(processes.map(async (process) => (await once(process, "exit"))[0] as number));
  await rm(dir, { recursive: true });
  if (codes.some((code) => code !== 0)) process.exitCode = 1;
}

async function sampler(index: number, dir: string): Promise<void> {
  const { graph } = await readShapedGraph(dir);
  const store = parentRendezvous();
  const secret = await store.get("secret", giveUpAfter("secret", waitMs));
  let batches = 0;
  const drawn = createBlockSampler({ graph, fanouts, replace: false, seed });
  const counted = { sample: (...asked: Parameters<typeof drawn.sample>) => (batches++, drawn.sample(...asked)) };
  const server = await serveSampler({ sampler: counted, secret });
  await store.set(`sampler ${index}`, new TextEncoder().encode(server.endpoint));
  await server.served(1);
  await server.close();
  console.log(`sampler ${index}: ${batches} batches`);
  process.disconnect();
}

async function trainer(numSamplers: number, dir: string): Promise<void> {
  const { features, featureDim, ...data } = await readShapedGraph(dir);
  const remote = numSamplers > 0 ? await connect(numSamplers) : null;
  const trainer = await Trainer.create({
    data: { ...data, features: new DenseFeatureStore(featureDim, [features]) },
    options: {
      model: { type: "sage", options: { hiddenFeats: 64, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts } },
      train: { epochs: 20, batchSize: 64, optimizer: { type: "adam", options: { lr: 0.01 } }, seed },
    },
    sampler: remote,
  });
  const { steps, metrics } = await trainer.fit();
  await remote?.close();
  const accuracy = `${(100 * (metrics["test/accuracy"] ?? 0)).toFixed(1)} %`;
  console.log(`trainer: ${steps} steps, test accuracy ${accuracy}`);
  trainer.dispose();
  process.disconnect();
}

async function connect(numSamplers: number): Promise<RemoteSampler> {
  const store = parentRendezvous();
  // Whoever does not know it is turned away; the samplers hear it from their parent alone.
  const secret = randomBytes(32);
  await store.set("secret", secret);
  const keys = Array.from({ length: numSamplers }, (_, index) => `sampler ${index}`);
  const endpoints = await Promise.all(keys.map((key) => store.get(key, giveUpAfter(key, waitMs))));
  return remoteSampler(
    endpoints.map((endpoint) => new TextDecoder().decode(endpoint)),
    { secret },
  );
}

const [role = "2", number, dir = ""] = process.argv.slice(2);
if (role === "sampler") await sampler(Number(number), dir);
else if (role === "trainer") await trainer(Number(number), dir);
else await main(Number(role));
