import { join } from "node:path";
import type { z } from "zod";
import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { PartitionerComponent } from "../components/define-partitioner.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { writeColumnScale } from "../features/column-scale-files.ts";
import { fitColumnScale } from "../features/encode-rows.ts";
import type { FeatureDtype } from "../features/feature-dtype.ts";
import type { CscGraph, NodeTypes } from "../graph/csc-graph.ts";
import { countSplit, type SplitCounts } from "../graph/split-nodes.ts";
import { withUnknownType } from "../graph/unknown-type.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import { NpyWriter, type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { PartsInfo } from "../spec/parts-info.ts";
import type { StepEvent } from "../spec/step-event.ts";
import { assignByLevels } from "./assign-by-levels.ts";
import { balanceWeights, maxBalancedTypes } from "./balance-weights.ts";
import type { GraphArtifact } from "./graph-artifact.ts";
import { measurePartition } from "./partition-report.ts";
import type { PartitionInput, PartitionProgress } from "./partitioner.ts";
import { commonPartitionerOptions } from "./partitioner-options.ts";
import { type Relabelling, relabelNodes } from "./relabel-nodes.ts";
import { contracted, expanded, type WholeUnits } from "./whole-units.ts";
import { type StoredFeatures, writePart } from "./write-part.ts";

export interface PartitionGraphOptions {
  readonly graph: GraphArtifact;
  readonly partitioner: PartitionerComponent;
  /** Parsed by the partitioner's own schema */
  readonly options: z.infer<z.ZodObject>;
  /** int8 [numNodes] by NodeIndex, see splitCode */
  readonly split: Int8Array;
  /** Digest of the split of links whose messages the graph's edges are; default: they are all there are */
  readonly links?: string | null;
  /** What stays in one part; default: nodes go where the partitioner puts them */
  readonly units?: WholeUnits | null;
  /** How the parts store the feature rows; default fp32 */
  readonly featureDtype?: FeatureDtype;
  /** Empty folder that receives the files of the `parts` artifact */
  readonly outDir: string;
  readonly onEvent: (event: StepEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Assigns, relabels, writes one folder per part, then measures what was written:
 *
 *   parts of nodes 0…3 = 1, 0, 1, 0 → node_map [1, 3, 0, 2]; part0 owns GlobalIds 0, 1; part1 owns 2, 3.
 *
 * @throws GnnError PARTITION_TOO_LARGE, PARTITION_FAILED, CANCELLED; DATASET_VALUE_INVALID when a feature does not fit
 * the dtype
 */
export async function partitionGraph(run: PartitionGraphOptions): Promise<ManifestDraft<PartsInfo>> {
  const { graph, outDir } = run;
  const common = commonPartitionerOptions.parse(run.options);
  const numParts = common.numParts === "auto" ? 1 : common.numParts;
  const progress = new StepProgress(run);

  progress.report("assign", 0, graph.facts.numNodes, "nodes");
  const assignment = await orCancelled(
    assignNodes(run, numParts, (phase, ...done) => progress.report(phase, ...done)),
    run.signal,
  );
  progress.report("assign", graph.facts.numNodes, graph.facts.numNodes, "nodes");

  const relabelling = relabelNodes(assignment, numParts);
  const stored = await storedFeatures(run);
  const { blobs, edgeOffsets } = await writeParts(run, relabelling, stored, (done) =>
    progress.report("write", done, numParts, "parts"),
  );
  if (stored.columns) blobs.push(...(await writeColumnScale(outDir, stored.columns)));
  progress.report("measure", 0, numParts, "parts");
  const report = await measurePartition(
    mapWritten(outDir, relabelling),
    splitsOf(relabelling, run.split),
    common.haloHops,
    reportedTypes(graph, relabelling),
  );
  progress.report("measure", numParts, numParts, "parts");

  const info: PartsInfo = {
    numParts,
    numNodes: graph.facts.numNodes,
    numEdges: edgeOffsets.at(-1) ?? 0,
    nodeOffsets: [...relabelling.nodeOffsets],
    edgeOffsets,
    partitioner: { type: run.partitioner.name, options: { ...run.options } },
    graph: {
      classes: graph.facts.classes,
      multiLabel: graph.labelSets !== null,
      targets: [...(graph.targets?.names ?? [])],
      features: { ...graph.facts.features, dtype: stored.dtype },
      edgeTypes: graph.facts.edgeTypes,
      nodeTypes: graph.facts.nodeTypes,
      splits: countSplit(run.split),
      idType: graph.facts.idType,
      directed: graph.facts.directed,
    },
    links: run.links ?? null,
    report,
  };
  return { info, blobs };
}

async function assignNodes(
  { graph, partitioner, options, split, signal, units = null }: PartitionGraphOptions,
  numParts: number,
  onProgress: PartitionProgress,
) {
  const { numNodes } = graph.facts;
  if (numParts === 1) return new Int32Array(numNodes);
  if (units && units.offsets.length - 1 < numParts) throw tooFewUnits(units.offsets.length - 1, numParts);
  const { balance, seed, partsPerHost } = commonPartitionerOptions.parse(options);
  const { indptr, indices } = graph;
  const input: PartitionInput = {
    numNodes,
    numParts,
    inEdges: { indptr, indices },
    adjacency: () => native(() => loadAddon().symmetrize(indptr, indices)),
    ...balanceWeights(balance, { indptr, split, types: graph.nodeTypes }),
    seed,
    onProgress,
  };
  const assign = (whole: PartitionInput) =>
    assignByLevels(whole, partsPerHost, (level) => partitioner.assign(level, options, signal));
  const assignment = units ? expanded(await assign(contracted(input, units)), units) : await assign(input);
  if (assignment.length !== numNodes) {
    const found = `The partitioner "${partitioner.name}" assigned ${assignment.length} nodes of ${numNodes}.`;
    throw new GnnError("PARTITION_FAILED", found);
  }
  return assignment;
}

function tooFewUnits(found: number, numParts: number): GnnError {
  const message = `There are ${found} graphs, each of which lies in one part, for ${numParts} parts; ask for ${found} ranks and parts at most.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer: "/partition/options/numParts" } });
}

/** A cancelled step ends at once, whether or not its partitioner watches the signal. */
function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new GnnError("CANCELLED", "The step was cancelled (assign)."));
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancel));
  });
}

/** The scale of a column is that of all nodes: it must not depend on the cut. */
async function storedFeatures({ graph, featureDtype = "fp32" }: PartitionGraphOptions): Promise<StoredFeatures> {
  const { features } = graph;
  const columns = features && featureDtype === "int8" ? await fitColumnScale(features) : null;
  return { dtype: featureDtype, columns };
}

async function writeParts(
  { graph, split, outDir }: PartitionGraphOptions,
  relabelling: Relabelling,
  stored: StoredFeatures,
  onWritten: (parts: number) => void,
): Promise<{ blobs: WrittenArray[]; edgeOffsets: number[] }> {
  const numParts = relabelling.nodeOffsets.length - 1;
  const blobs: WrittenArray[] = [];
  const edgeOffsets = [0];
  const edgeMap = await NpyWriter.open(join(outDir, "edge_map.npy"), "int64", []);
  try {
    for (let part = 0; part < numParts; part++) {
      const written = await writePart(outDir, part, graph, relabelling, split, stored);
      await edgeMap.append(written.edgeMap);
      blobs.push(...written.blobs);
      edgeOffsets.push(edgeOffsets[part]! + written.numEdges);
      onWritten(part + 1);
    }
  } catch (error) {
    await edgeMap.abandon();
    throw error;
  }
  blobs.push({ name: "edge_map.npy", dtype: "int64", shape: await edgeMap.close() });
  const { nodeMap } = relabelling;
  await writeNpy(join(outDir, "node_map.npy"), "int32", [nodeMap.length], nodeMap);
  blobs.push({ name: "node_map.npy", dtype: "int32", shape: [nodeMap.length] });
  return { blobs, edgeOffsets };
}

/** The graph as its readers will see it, from the files just written. */
function mapWritten(outDir: string, { nodeOffsets }: Relabelling): CscGraph {
  const parts = nodeOffsets.slice(0, -1).map((firstNode, part) => ({
    firstNode,
    numNodes: nodeOffsets[part + 1]! - firstNode,
    indptr: mapNpy(join(outDir, `part${part}/indptr.npy`), "int64").values,
    indices: mapNpy(join(outDir, `part${part}/indices.npy`), "int32").values,
    weights: null,
  }));
  const numEdges = parts.reduce((sum, { indices }) => sum + indices.length, 0);
  return { device: "cpu", numNodes: nodeOffsets.at(-1)!, numEdges, parts };
}

/** By GlobalId; null where nodes are alike, or of more types than a partitioner balances. */
function reportedTypes({ nodeTypes, facts }: GraphArtifact, { nodeMap }: Relabelling): NodeTypes | null {
  if (!nodeTypes) return null;
  const types = withUnknownType({ names: facts.nodeTypes, codes: nodeMap.map((node) => nodeTypes[node]!) });
  return types.names.length > 1 && types.names.length <= maxBalancedTypes ? types : null;
}

function splitsOf({ nodeMap, nodeOffsets }: Relabelling, split: Int8Array): SplitCounts[] {
  return nodeOffsets
    .slice(0, -1)
    .map((first, part) =>
      countSplit(Int8Array.from(nodeMap.subarray(first, nodeOffsets[part + 1]), (node) => split[node]!)),
    );
}
