import { join } from "node:path";
import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { knowsTarget } from "../graph/node-targets.ts";
import { countSplit, randomSplit, withHeldOut } from "../graph/split-nodes.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { withMessagesOnly } from "../links/links-artifact.ts";
import { type GraphArtifact, mapGraphArtifact } from "../partition/graph-artifact.ts";
import { inTypesOfModel } from "../partition/in-types-of-model.ts";
import { partitionGraph } from "../partition/partition-graph.ts";
import type { PartsInfo } from "../spec/parts-info.ts";
import type { PartitionStepOptions, SplitOptions } from "../spec/train-options.ts";
import { splitByFolds } from "../whole-graphs/fold-split.ts";
import { graphsAsRows } from "../whole-graphs/graph-rows-artifact.ts";
import { type SplitGraphs, splitOfNodes, writeGraphRows } from "../whole-graphs/write-graph-rows.ts";
import { stepInput } from "./step-input.ts";

/** The work of `steps/partition.step.ts`, loaded when it runs. */
export async function runPartitionStep(context: StepContext<PartitionStepOptions>): Promise<ManifestDraft<PartsInfo>> {
  const { options, inputs, registry, outDir, onEvent, signal } = context;
  const artifact = inputs.graph;
  if (!artifact) throw new GnnError("MANIFEST_INVALID", "The partition step was given no artifact of kind graph.");
  const partitioner = registry.get("partitioner", options.partition.type);
  const parsed = partitioner.options.safeParse(options.partition.options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const pointer = `/${["partition", "options", ...(issue?.path ?? [])].join("/")}`;
    throw new GnnError("SPEC_INVALID", `${pointer}: ${issue?.message}`, { cause: parsed.error, place: { pointer } });
  }
  const links = options.edges === "messages" ? stepInput(inputs, "links") : null;
  const mapped = mapGraphArtifact(artifact);
  const stored = options.types ? inTypesOfModel(mapped, options.types) : mapped;
  const graph = links ? withMessagesOnly(stored, links) : stored;
  // Whoever wrote the file: from here on edges are followed without a look at each.
  await requireValid(graph);
  const graphs = options.graphs ? splitGraphs(artifact, options, options.graphs) : null;
  const split = graphs ? splitOfNodes(graphs) : splitOf(graph, options.split);
  const featureDtype = options.features.dtype;
  const draft = await partitionGraph({
    graph,
    partitioner,
    options: parsed.data,
    split,
    links: links?.manifest.digest ?? null,
    units: graphs,
    featureDtype,
    outDir,
    onEvent,
    signal,
  });
  return graphs ? withGraphs(draft, graphs, outDir) : draft;
}

/** The graphs of a set with the split that the job asks for */
function splitGraphs(
  artifact: ArtifactDir,
  { split: asked }: Pick<PartitionStepOptions, "split">,
  { folds }: NonNullable<PartitionStepOptions["graphs"]>,
): SplitGraphs {
  const inside = graphsAsRows(artifact);
  const rows = mapGraphArtifact(inside);
  const { values: offsets } = mapNpy(join(inside.dir, "offsets.npy"), "int32");
  if (!folds) return { rows, offsets, split: splitOf(rows, asked) };
  const names = graphInfo.parse(artifact.manifest.info).graphs?.folds.map(({ name }) => name) ?? [];
  const known = names.length > 0 ? mapNpy(join(inside.dir, "fold.npy"), "int32").values : new Int32Array();
  return { rows, offsets, split: splitByFolds(known, names, folds) };
}

async function withGraphs(
  { info, blobs }: ManifestDraft<PartsInfo>,
  graphs: SplitGraphs,
  outDir: string,
): Promise<ManifestDraft<PartsInfo>> {
  const { facts } = graphs.rows;
  const targets = facts.targets.map(({ name }) => name);
  const counted = { numGraphs: facts.numNodes, classes: facts.classes, targets, splits: countSplit(graphs.split) };
  return { info: { ...info, graphs: counted }, blobs: [...blobs, ...(await writeGraphRows(outDir, graphs))] };
}

async function requireValid({ facts, indptr, indices }: GraphArtifact): Promise<void> {
  const part = { firstNode: 0, numNodes: facts.numNodes, indptr, indices, weights: null };
  await native(() => loadAddon().requireValidGraph(loadAddon().createGraph(facts.numNodes, [part], true)));
}

function splitOf(graph: GraphArtifact, split: SplitOptions): Int8Array {
  if (split.type === "random") return randomSplit(splitGroups(graph), split);
  const { val, valFold } = split;
  return val === undefined ? graph.split : withHeldOut(graph.split, splitGroups(graph), val, valFold);
}

/** Class of each node; one further group for those that have several labels or numbers instead; -1: neither. */
function splitGroups({ facts, labels, labelSets, targets }: GraphArtifact): Int32Array {
  if (!labelSets && !targets) return labels;
  const other = facts.classes.length;
  return labels.map((label, node) => {
    if (label >= 0) return label;
    return labelSets?.known[node] === 1 || (targets && knowsTarget(targets, node)) ? other : -1;
  });
}
