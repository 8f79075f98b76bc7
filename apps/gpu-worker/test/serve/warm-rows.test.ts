import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactCache, LocalArtifactStore, publishArtifact } from "@hopwise/artifacts";
import type { ServedSource } from "@hopwise/contracts";
import { type ArtifactDir, asTrained, loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { NodeLookup } from "../../../../packages/gnn-core/src/serving/node-lookup.ts";
import { ingestStep } from "../../../../packages/gnn-core/src/steps/ingest.step.ts";
import { partitionStep } from "../../../../packages/gnn-core/src/steps/partition.step.ts";
import { trainStep } from "../../../../packages/gnn-core/src/steps/train.step.ts";
import { bareAuthorsGrowth } from "../../../../packages/gnn-core/test/serving/support/bare-types-graph.ts";
import { ingestedFrom } from "../../../../packages/gnn-core/test/serving/support/typed-graphs.ts";
import { filesArtifact, runStep, temporaryDir } from "../../../../packages/gnn-core/test/support/run-step.ts";
import { WarmRows } from "../../src/serve/warm-rows.ts";

/** A ring of six nodes, which has neither self-loops nor repeated edges: no rule for these changes what is stored. */
async function ring(rules: object): Promise<ArtifactDir> {
  const nodes = Array.from({ length: 6 }, (_, i) => `n${i},${Math.sin(i).toFixed(3)},c${i % 2},train`);
  const edges = Array.from({ length: 6 }, (_, i) => `n${i},n${(i + 1) % 6}`);
  const files = await filesArtifact({
    "nodes.csv": `id,a,label,split\n${nodes.join("\n")}\n`,
    "edges.csv": `src,dst\n${edges.join("\n")}\n`,
  });
  return runStep(
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns: ["a"] } },
      ...rules,
    },
  );
}

async function modelOn(graph: ArtifactDir): Promise<ArtifactDir> {
  const parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 1 } } });
  const model = { type: "gcn", options: { numLayers: 1 } };
  const options = { task: { target: "label" }, model, sampling: { type: "full" }, train: { epochs: 1 } };
  return runStep(trainStep, { parts }, options);
}

it("a model follows the rules of the graph it is asked with, though another of the same content was asked before", async () => {
  const dir = await temporaryDir("warm-rows");
  const store = await LocalArtifactStore.open(join(dir, "artifacts"));
  const kept = async (name: string, artifact: ArtifactDir) => {
    await publishArtifact(store, `made/${name}`, artifact.dir, artifact.manifest);
    return { id: name, kind: artifact.manifest.kind, prefix: `made/${name}`, digest: artifact.manifest.digest };
  };
  const graphs = [await ring({ selfLoops: "keep" }), await ring({ selfLoops: "drop" })] as const;
  const [keeping, dropping] = [await kept("keeping", graphs[0]), await kept("dropping", graphs[1])];
  expect(dropping.digest).toBe(keeping.digest);
  const model = await kept("model", await modelOn(graphs[0]));
  const warm = new WarmRows({
    store,
    cache: await ArtifactCache.open({ dir: join(dir, "cache"), maxBytes: 1e9 }),
    registry: await loadRegistry([]),
    maxBytes: 1e9,
    threads: 1,
  });
  const outputs = async (graph: ServedSource["graph"], edges: { to: string }[]) => {
    const served = await warm.takeModel({ remapped: model, graph, model, parts: null, reading: asTrained });
    const rowOf = (id: string) => (id === "n1" ? 1 : -1);
    const rows = await served.infer([{ id: "x", features: { a: 1 }, edges }], rowOf, { edges: 100, numbers: 1000 });
    return [...rows.outputs];
  };
  const withLoop = [{ to: "n1" }, { to: "x" }, { to: "x" }];
  const looped = await outputs(keeping, withLoop);
  const without = await outputs(keeping, [{ to: "n1" }]);
  expect(looped).not.toEqual(without);
  expect(await outputs(dropping, withLoop)).toEqual(without);
});

it("of the parts of a model with learned rows, their order alone is fetched, and without them nothing is answered", async () => {
  const dir = await temporaryDir("warm-order");
  const store = await LocalArtifactStore.open(join(dir, "artifacts"));
  const kept = async (name: string, artifact: ArtifactDir) => {
    await publishArtifact(store, `made/${name}`, artifact.dir, artifact.manifest);
    return { id: name, kind: artifact.manifest.kind, prefix: `made/${name}`, digest: artifact.manifest.digest };
  };
  const { spec, before, given } = bareAuthorsGrowth();
  const { graph, parts } = await ingestedFrom(before, spec);
  const options = { task: { target: "label" }, model: { type: "rgcn", options: {} }, sampling: { type: "full" } };
  const trained = await runStep(trainStep, { parts }, { ...options, train: { epochs: 1 } });
  const source = { graph: await kept("graph", graph), model: await kept("model", trained) };
  const cache = await ArtifactCache.open({ dir: join(dir, "cache"), maxBytes: 1e9 });
  const warm = new WarmRows({ store, cache, registry: await loadRegistry([]), maxBytes: 1e9, threads: 1 });
  const asked = warm.takeModel({ ...source, remapped: source.model, parts: null, reading: asTrained });
  await expect(asked).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/nodes" } });
  const made = await kept("parts", parts);
  const served = await warm.takeModel({ ...source, remapped: source.model, parts: made, reading: asTrained });
  const lookup = await NodeLookup.open(graph);
  const rows = await served.infer(given, (id) => lookup.rowOf(id), { edges: 1000, numbers: 10_000 });
  expect(rows.outputs.every(Number.isFinite)).toBe(true);
  const { dir: fetched } = await cache.fetch(store, made, () => ["node_map.npy"]);
  expect((await readdir(fetched)).filter((name) => name.startsWith("part"))).toEqual([]);
});
