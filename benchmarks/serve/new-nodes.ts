import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactDir } from "@hopwise/gnn-core/spec";
import { inferStep } from "../../packages/gnn-core/src/steps/infer.step.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { partitionStep } from "../../packages/gnn-core/src/steps/partition.step.ts";
import { remapStep } from "../../packages/gnn-core/src/steps/remap.step.ts";
import { trainStep } from "../../packages/gnn-core/src/steps/train.step.ts";
import { filesArtifactIn, runStepIn } from "../../packages/gnn-core/test/support/step-runner.ts";

const [dim, numClasses, edgesOfNew] = [32, 10, 5];
const row = (node: number) => Array.from({ length: dim }, (_, i) => Number(Math.sin(node * dim + i).toFixed(4)));

/** A graph of `numNodes` nodes with ten undirected edges each, and a GraphSAGE of two layers with its rows. */
export async function makeTrained(
  data: string,
  numNodes: number,
): Promise<Record<"graph" | "model" | "remapped", ArtifactDir>> {
  const nodes = Array.from({ length: numNodes }, (_, n) => `n${n},"[${row(n).join(",")}]",c${n % numClasses},train`);
  const ends = Array.from({ length: numNodes * 5 }, (_, e) => `n${e % numNodes},n${(e * 7919 + 13) % numNodes}`);
  const dir = async (name: string) => {
    await mkdir(join(data, name), { recursive: true });
    return join(data, name);
  };
  const files = await filesArtifactIn(await dir("files"), {
    "nodes.csv": `id,v,label,split\n${nodes.join("\n")}\n`,
    "edges.csv": `src,dst\n${ends.join("\n")}\n`,
  });
  const features = { columns: ["v"], widths: { v: dim } };
  const graph = await runStepIn(
    await dir("ingest"),
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features },
    },
  );
  const cut = { partition: { type: "random", options: { numParts: 1 } } };
  const parts = await runStepIn(await dir("partition"), partitionStep, { graph }, cut);
  const spec = {
    task: { target: "label" },
    model: { type: "sage", options: { numLayers: 2, hiddenFeats: 64 } },
    train: { epochs: 1 },
  };
  const model = await runStepIn(await dir("train"), trainStep, { parts }, spec);
  const inferred = await runStepIn(await dir("infer"), inferStep, { parts, model }, {});
  return { graph, model, remapped: await runStepIn(await dir("remap"), remapStep, { graph, parts, inferred }, {}) };
}

/** The n-th question: one node with its features and five edges */
export function newNode(n: number, numNodes: number): object {
  const edges = Array.from({ length: edgesOfNew }, (_, e) => ({ to: `n${(n * 101 + e * 977) % numNodes}` }));
  return { id: "new", features: { v: row(numNodes + n) }, edges };
}
