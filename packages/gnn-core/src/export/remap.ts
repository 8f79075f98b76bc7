import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { predictsRows } from "../components/define-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { classPositions, renumberLabels } from "../graph/renumber-classes.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { NpyReader, readNpy, writeNpy } from "../io/npy.ts";
import { StepProgress } from "../io/step-progress.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { parsePartsInfo } from "../spec/parts-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { RemappedInfo } from "../spec/result-info.ts";
import { graphsAsRows, partsAsRows } from "../whole-graphs/graph-rows-artifact.ts";
import { knownNodesOf } from "./known-nodes-of.ts";
import { recount } from "./recount.ts";
import { scatterRows } from "./scatter-rows.ts";
import { tellUnknownClasses } from "./tell-unknown-classes.ts";

export interface RemapOptions {
  /** Those that the model counts in; left out: the graph's own */
  readonly classes?: readonly string[] | undefined;
}

/** The shapes of the files of rows */
interface ScatteredRows {
  readonly "embeddings.npy": [number, number];
  readonly "logits.npy"?: [number, number];
}

/**
 * Brings inferred rows, of nodes or of whole graphs, from the order of the parts into that of the ids of `graph`.
 * Labels and split come from the parts, since the job may have drawn its own split. The metrics are counted from the
 * files written. Labels are counted in the classes that the model learnt; one that it does not know is as if there
 * were none.
 *
 * @throws GnnError MANIFEST_INVALID when the artifacts do not belong together; CANCELLED
 */
export async function remap(step: StepContext<RemapOptions>): Promise<ManifestDraft<RemappedInfo>> {
  const { inferred, ...stored } = step.inputs as Record<"graph" | "parts" | "inferred", ArtifactDir>;
  const { outDir } = step;
  const progress = new StepProgress(step);
  const learnt = inferredTask.parse(inferred.manifest.info);
  const task = resolveTask(learnt.task, step.registry);
  const isOfGraphs = task.component.seeds === "graphs";
  const graph = isOfGraphs ? graphsAsRows(stored.graph) : stored.graph;
  const parts = isOfGraphs ? partsAsRows(stored.parts) : stored.parts;
  const { numNodes, classes: own } = graphInfo.parse(graph.manifest.info);
  const classes = [...(step.options.classes ?? own)];
  const nodeMap = (await readNpy(join(parts.dir, "node_map.npy"), "int32")).values;
  checkPermutation(nodeMap, numNodes);
  const gathered = await gatherParts(parts, "labels.npy", nodeMap, "int32");
  const labels = renumberLabels(gathered, classPositions(own, classes));
  tellUnknownClasses(step, { gathered, labels, own, classes });
  const split = await gatherParts(parts, "split.npy", nodeMap, "int8");
  const { component, options } = task;
  const rows = await scatterRowsOf(predictsRows(component));
  await writeNpy(join(outDir, "labels.npy"), "int32", [numNodes], Int32Array.from(labels));
  await writeNpy(join(outDir, "split.npy"), "int8", [numNodes], Int8Array.from(split));
  const nodes = knownNodesOf(graph, labels, classes);
  const metrics = predictsRows(component)
    ? await recount(join(outDir, "logits.npy"), { component, options }, nodes, split)
    : {};
  const [, dim] = rows["embeddings.npy"];
  return {
    info: {
      numNodes,
      dim,
      layer: predictsRows(component) ? "lastHidden" : "output",
      classes,
      temperature: learnt.temperature,
      metrics,
      task: task.section,
    },
    blobs: [
      ...Object.entries(rows).map(([name, shape]) => ({ name, dtype: "float32", shape })),
      { name: "labels.npy", dtype: "int32", shape: [numNodes] },
      { name: "split.npy", dtype: "int8", shape: [numNodes] },
    ],
  };

  /** Where nothing of single nodes is predicted, the model's output is the embedding: pairs or views tell it. */
  async function scatterRowsOf(hasLogits: boolean): Promise<ScatteredRows> {
    if (!hasLogits) return { "embeddings.npy": await scatter("logits.npy", "embeddings.npy") };
    const embeddings = await scatter("embeddings.npy");
    return { "embeddings.npy": embeddings, "logits.npy": await scatter("logits.npy") };
  }

  async function scatter(name: string, into = name): Promise<[number, number]> {
    const rows = await NpyReader.open(join(inferred.dir, name), "float32");
    await rows.close();
    if (rows.numRows !== numNodes) throw mismatch(`${name} has ${rows.numRows} rows`, numNodes);
    return scatterRows(join(inferred.dir, name), join(outDir, into), nodeMap, progress);
  }
}

function checkPermutation(nodeMap: Int32Array, numNodes: number): void {
  if (nodeMap.length !== numNodes) throw mismatch(`the node map has ${nodeMap.length} entries`, numNodes);
  const isSeen = new Uint8Array(numNodes);
  for (const node of nodeMap) {
    if (!(node >= 0 && node < numNodes) || isSeen[node])
      throw mismatch(`the node map names node ${node} twice`, numNodes);
    isSeen[node] = 1;
  }
}

function mismatch(found: string, numNodes: number): GnnError {
  const message = `${found}; the graph has ${numNodes} nodes. Graph, parts and inferred rows must come from one job.`;
  return new GnnError("MANIFEST_INVALID", message);
}

/** One value per row from the files of all parts, in NodeIndex order. */
async function gatherParts(
  parts: ArtifactDir,
  name: string,
  nodeMap: Int32Array,
  dtype: "int32" | "int8",
): Promise<Int32Array> {
  const values = new Int32Array(nodeMap.length);
  const { nodeOffsets } = parsePartsInfo(parts);
  for (let part = 0; part + 1 < nodeOffsets.length; part++) {
    const ofPart = (await readNpy(join(parts.dir, `part${part}`, name), dtype)).values;
    for (let i = 0; i < ofPart.length; i++) values[nodeMap[nodeOffsets[part]! + i]!] = ofPart[i]!;
  }
  return values;
}
