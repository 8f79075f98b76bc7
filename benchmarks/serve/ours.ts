/**
 * Single predictions from the serving process, one id in each request, with warm rows of 100,000 nodes and ten classes.
 *
 * Figure: requests per CPU second of the serving process, asked by 32 connections as fast as it answers.
 * `details.throughApi` has the CPU milliseconds of the API for each request that goes through it.
 * `details.paced` has the latencies at 1,000 requests a second, by the clock, of whoever asks; `details.newNodes` those
 * for one new node in each request, one after another, by a warm GraphSAGE of two layers.
 *
 *   ours.ts [--small]   few requests, which only show that the benchmark runs
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { LocalArtifactStore, publishArtifact } from "@hopwise/artifacts";
import { writeNpy } from "@hopwise/gnn-core";
import { type ArtifactDir, buildManifest } from "@hopwise/gnn-core/spec";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { makeTrained, newNode } from "./new-nodes.ts";
import { paced, quantiles } from "./paced.ts";
import { measureThroughApi } from "./through-api.ts";

const isSmall = process.argv.includes("--small");
const numNodes = isSmall ? 1000 : 100_000;
const numRequests = isSmall ? 500 : 20_000;
const numPaced = isSmall ? 200 : 10_000;
const perSecond = 1000;
const [dim, numClasses, connections] = [64, 10, 32];
const data = await mkdtemp(join(tmpdir(), "hopwise-serve-"));

async function stored(kind: string, info: Record<string, unknown>, names: readonly string[]) {
  const context = { kind, step: kind, stepVersion: 1, engine: "bench", inputs: {}, options: {} };
  const dir = join(data, kind);
  const manifest = await buildManifest(dir, { info, blobs: names.map((name) => ({ name })) }, context);
  return published(kind, { dir, manifest });
}

async function published(name: string, { dir, manifest }: ArtifactDir) {
  const store = await LocalArtifactStore.open(join(data, "artifacts"));
  await publishArtifact(store, `made/${name}`, dir, manifest);
  return { id: name, kind: manifest.kind, prefix: `made/${name}`, digest: manifest.digest };
}

const classes = Array.from({ length: numClasses }, (_, c) => `class ${c}`);
const floats = (width: number) => Float32Array.from({ length: numNodes * width }, (_, i) => Math.sin(i));

async function makeSource() {
  const ids = BigInt64Array.from({ length: numNodes }, (_, node) => BigInt(node * 7));
  await writeNpy(join(data, "graph/nodes/ids.npy"), "int64", [numNodes], ids);
  const rows = join(data, "remapped");
  await writeNpy(join(rows, "embeddings.npy"), "float32", [numNodes, dim], floats(dim));
  await writeNpy(join(rows, "logits.npy"), "float32", [numNodes, numClasses], floats(numClasses));
  await writeNpy(join(rows, "labels.npy"), "int32", [numNodes], new Int32Array(numNodes));
  const count = { rowsRead: 0, nodeRows: 0, edgeRows: 0, duplicateEdges: 0, selfLoops: 0, danglingIds: 0 };
  const graph = await stored(
    "graph",
    {
      numNodes,
      numEdges: 0,
      idType: "int64",
      directed: false,
      features: { kind: "none", dim: 0 },
      classes,
      splits: { train: 0, val: 0, test: 0, none: numNodes },
      labelCounts: [],
      degreeHistogram: { edges: [0, 2], counts: [numNodes] },
      edgeTypes: ["edge"],
      nodeTypes: ["node"],
      report: { ...count, isolatedNodes: 0, badRows: [], warnings: [] },
    },
    ["nodes/ids.npy"],
  );
  const task = { type: "nodeClassification", target: "label" };
  const info = { numNodes, dim, layer: "lastHidden", classes, temperature: 1.5, metrics: {}, task };
  return { graph, remapped: await stored("remapped", info, ["embeddings.npy", "logits.npy", "labels.npy"]) };
}

const source = await makeSource();
const socket = join(data, "serve", "serve.sock");
const agent = new Agent({ keepAlive: true, maxSockets: connections });

const ask = (node: number) => post({ source, query: { ids: [String((node % numNodes) * 7)] } });

async function post(question: object): Promise<void> {
  const body = JSON.stringify(question);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const asked = request({ socketPath: socket, path: "/predict", method: "POST", headers, agent });
  asked.end(body);
  const [response] = await once(asked, "response");
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
}

/** One new node in each request, one after another, after some that are not counted */
async function measureNewNodes() {
  const numKnown = isSmall ? 500 : 20_000;
  const made = await makeTrained(join(data, "trained"), numKnown);
  const [graph, model, remapped] = await Promise.all([
    published("trained-graph", made.graph),
    published("trained-model", made.model),
    published("trained-rows", made.remapped),
  ]);
  const one = (n: number) => post({ source: { graph, model, remapped }, query: { nodes: [newNode(n, numKnown)] } });
  const count = isSmall ? 20 : 1000;
  for (let n = 0; n < count / 4; n++) await one(n);
  const before = cpuSecondsOf(serving);
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const at = performance.now();
    await one(count + n);
    took.push(performance.now() - at);
  }
  return { nodes: numKnown, perCpuSecond: count / (cpuSecondsOf(serving) - before), ...quantiles(took) };
}

const program = join(import.meta.dirname, "../../apps/gpu-worker/dist/serve-main.js");
const environment = { ...process.env, HOPWISE_DATA: data, HOPWISE_SERVE_THREADS: "1", HOPWISE_LOG_LEVEL: "warn" };
const serving = spawn(process.execPath, [program], { env: environment, stdio: ["ignore", "ignore", "inherit"] });
try {
  while (!existsSync(socket)) {
    if (serving.exitCode !== null) throw new Error("The serving process has ended.");
    await wait(50);
  }
  for (let node = 0; node < 200; node++) await ask(node);
  const before = cpuSecondsOf(serving);
  let next = 0;
  const client = async () => {
    while (next < numRequests) await ask(next++ * 31);
  };
  await Promise.all(Array.from({ length: connections }, client));
  const cpuSeconds = cpuSecondsOf(serving) - before;
  const ownPaced = await paced(numPaced, perSecond, (n) => ask(n * 31));
  const newNodes = await measureNewNodes();
  const throughApi = await measureThroughApi(data, source, {
    connections,
    numRequests: isSmall ? 100 : 5000,
    numPaced: isSmall ? 200 : numPaced,
    idOf: (n) => String(((n * 31) % numNodes) * 7),
  });
  const line = {
    topic: "serve",
    figure: numRequests / cpuSeconds,
    unit: "requests/CPU-s",
    better: "higher",
    ceiling: null,
    details: {
      nodes: numNodes,
      classes: numClasses,
      connections,
      paced: ownPaced,
      newNodes,
      throughApi,
      cpu: cpus()[0]?.model ?? "unknown",
    },
  };
  console.log(JSON.stringify(line));
} finally {
  agent.destroy();
  serving.kill("SIGTERM");
  await rm(data, { recursive: true, force: true });
}
