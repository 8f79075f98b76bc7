import { type FeatureDtype, storedAs } from "../features/feature-dtype.ts";
import { type FeaturePlacement, pinnableBytes } from "../host/feature-placement.ts";
import type { SamplingPlace } from "../host/graph-placement.ts";
import type { LearnedPlacement } from "../host/learned-placement.ts";
import { weightsTerm } from "../host/step-memory.ts";
import { type ContrastWork, contrastMemoryLines } from "./contrast-estimate.ts";
import { type DeviceNeeds, deviceLines, type EstimatedPlacement, pinnedLines } from "./device-memory.ts";
import { type EdgeWork, edgeDiskLines, edgeMemoryLines } from "./edge-estimate.ts";
import { csrDensity, timeLines } from "./estimate-time.ts";
import { type LinkWork, linkDiskLines, linkMemoryLines, linkStagePeaks } from "./link-estimate.ts";
import { madeEdgesLines, numMessageEdges } from "./message-edges.ts";
import { type WalkWork, walkMemoryLines } from "./walk-estimate.ts";

/** What an estimate needs of a graph; every field is in the `info` of the graph artifact. */
export interface GraphSize {
  readonly numNodes: number;
  /** Stored, directed edges. */
  readonly numEdges: number;
  readonly features: {
    readonly kind: "none" | "dense" | "csr";
    readonly dim: number;
    /** Stored values of all CSR rows, when it is known. */
    readonly numValues?: number | undefined;
  };
  readonly numClasses: number;
  readonly numTrainNodes: number;
}

/** Rows that are learned of the nodes */
export interface LearnedRowsSize {
  readonly dim: number;
  /** Bytes that the optimizer keeps beside each */
  readonly stateBytesPerRow: number;
  /** Whether they begin as vectors that a stage of its own reads from a file; default false */
  readonly fromFile?: boolean;
}

export interface EstimateInput {
  readonly graph: GraphSize;
  /** Read beside the graph's features; default none */
  readonly learnedRows?: LearnedRowsSize | null;
  /** Whether each rank holds its own parts alone; default false */
  readonly isPartitioned?: boolean;
  /** How the parts store the features; default fp32 */
  readonly featureDtype?: FeatureDtype;
  readonly numParameters: number;
  /** How many of them stay as they are: no gradient, no state of an optimizer; default none */
  readonly numFrozenParameters?: number;
  /** Width of the hidden layers, and of the embeddings. */
  readonly hiddenFeats: number;
  readonly numHops: number;
  /** Relations that the model tells apart; default none */
  readonly numRelations?: number | undefined;
  /** Layers whose rows are kept for the gradient; default numHops */
  readonly numLayers?: number;
  /** Whether hidden layers are normalised by statistics of the batch; default false */
  readonly hasBatchNorm?: boolean;
  /** What a message costs, in units of a sum over neighbours; default 1 */
  readonly messageCost?: number | undefined;
  /** Input rows that one seed needs. */
  readonly rowsPerSeed: number;
  /** Whether the sampler keeps the sums of the features over every node's neighbours; default false */
  readonly keepsFeatureSums?: boolean;
  /** Peak of the partitioner on its one rank. */
  readonly partitionBytes: number;
  readonly epochs: number;
  /** Global seeds per step. */
  readonly batchSize: number;
  readonly ranks: number;
  /** Processes that draw batches for the ranks; default 0 */
  readonly samplers?: number;
  readonly threadsPerRank: number;
  readonly evaluateEveryEpochs: number;
  /** Passes over all nodes that the sampler makes in each epoch beside the evaluations; default 0 */
  readonly passesPerEpoch?: number;
  /** Columns made from the edges before training */
  readonly structural?:
    | { readonly rounds: number; readonly dim: number; readonly isOrthogonal: boolean }
    | null
    | undefined;
  readonly keptCheckpoints: number;
  /** Where each rank computes on a device of its own: what the largest of them and its host have; default on CPUs */
  readonly device?: EstimatedDevice | null;
  /** Where the job asks the features to lie for the devices; default auto */
  readonly featurePlacement?: FeaturePlacement | "auto";
  /** Where a device could sample the graph itself; default null: it could not */
  readonly deviceSampling?: { readonly isWeighted: boolean; readonly isWhole?: boolean } | null;
  /** Where messages do not go along the edges that are stored: each rank makes so many of each of them. Default null */
  readonly madeEdges?: { readonly perEdge: number; readonly isWeighted: boolean } | null;
  /** For tasks on edges: seeds are then ends of pairs; `batchSize` and `numTrainNodes` count them. Default null */
  readonly links?: LinkWork | null;
  /** Left out or null: the task is none on labelled edges */
  readonly edgeRows?: EdgeWork | null;
  /** For tasks that compare views of the graph. Default null */
  readonly contrast?: ContrastWork | null;
  /** For tasks that learn from random walks. Default null */
  readonly walks?: WalkWork | null;
}

/** A device that a rank has to itself */
export interface EstimatedDevice {
  readonly memoryBytes: number;
  readonly hostBytes: number;
  /** Devices of its host, and how many of them NVLink joins with it, itself included in both; default 1 */
  readonly peers?: { readonly onHost: number; readonly linked: number };
}

/** One term of the estimate, as a person can check it. */
export interface EstimateLine {
  readonly of:
    | "memory"
    | "samplerMemory"
    | "deviceMemory"
    | "partitionMemory"
    | "disk"
    | "timeOverhead"
    | "time"
    | "stageOverhead"
    | "stageTime";
  readonly what: string;
  /** Bytes, or seconds for time. */
  readonly amount: number;
}

export interface JobEstimate {
  readonly memoryBytesPerRank: number;
  /** 0 when there are none */
  readonly memoryBytesPerSampler: number;
  /** What each rank needs of its own device's memory; 0 when the ranks compute on CPUs */
  readonly deviceBytesPerRank: number;
  /** Where dense features lie for the devices; null on CPUs, and for features that are not dense */
  readonly placement: EstimatedPlacement | null;
  /** Where learned rows lie for the devices; null on CPUs, and where there are none */
  readonly learnedPlacement: LearnedPlacement | null;
  /** Who samples the blocks of a device's steps; null on CPUs, and where a device could not */
  readonly samplingPlace: SamplingPlace | null;
  /**
   * Bytes of all ranks and sampler processes on one host, which map the graph once, or of partitioning before them if
   * that is more.
   */
  readonly memoryBytes: number;
  /** Bytes of what one host does alone whatever the number of ranks: partitioning, and the stages of links */
  readonly partitionPeakBytes: number;
  readonly diskBytes: number;
  /** A rough guess from the start of the first stage to the end of the last; null when there is nothing to train on. */
  readonly seconds: number | null;
  readonly explanation: readonly EstimateLine[];
}

/** Node, the addon and tfjs, before any graph. */
const processBytes = 250e6;
/** Batches that lie ready beside the one in work. */
const queuedBatches = 3;
/** Batches that a rank asks of each sampler process at a time. */
const askedBatches = 2;

/**
 * Predicts memory, disk and time of a training job from counts alone. Pure arithmetic: no file, no native code. The
 * memory is an upper bound for the shapes this version trains; the time is a guess within a factor of about two.
 */
export function estimateJob(input: EstimateInput): JobEstimate {
  const { ranks, samplers = 0 } = input;
  const device = deviceMemory(input);
  const memory = [...memoryLines(input), ...pinnedLines(device.placed)];
  const samplerMemory = samplers > 0 ? samplerLines(input, samplers) : [];
  const samplersBesideRanks = samplers > 0 ? total(samplerMemory) * samplers - edgeBytes(input.graph) : 0;
  const partition = {
    of: "partitionMemory" as const,
    what: "partitioning, on one rank before training",
    amount: partitionPeak(input),
  };
  const peaks = [partition, ...linkStagePeaks(input, processBytes), ...vectorPeaks(input)];
  const onOneRank = Math.max(...peaks.map(({ amount }) => amount));
  const disk = diskLines(input);
  const time = input.graph.numTrainNodes > 0 ? timeLines(input) : [];
  return {
    memoryBytesPerRank: Math.ceil(Math.max(total(memory), onOneRank)),
    memoryBytesPerSampler: Math.ceil(total(samplerMemory)),
    deviceBytesPerRank: Math.ceil(total(device.lines)),
    memoryBytes: Math.ceil(Math.max(total(memory) * ranks + samplersBesideRanks, onOneRank)),
    partitionPeakBytes: Math.ceil(onOneRank),
    diskBytes: Math.ceil(total(disk)),
    seconds: time.length > 0 ? total(time) : null,
    placement: device.placed,
    learnedPlacement: device.learnedPlacement,
    samplingPlace: device.samplingPlace,
    explanation: [...memory, ...peaks, ...samplerMemory, ...device.lines, ...disk, ...time],
  };
}

function total(lines: readonly EstimateLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** Edges, features, label int32 and split int8 */
function graphBytes(graph: GraphSize, dtype: FeatureDtype = "fp32"): number {
  const { numNodes, features } = graph;
  return edgeBytes(graph) + numNodes * (featureRowBytes(features, numNodes, dtype) + 5);
}

/** indptr int64 and indices int32 */
function edgeBytes({ numNodes, numEdges }: GraphSize): number {
  return (numNodes + 1) * 8 + numEdges * 4;
}

/** Bytes of a row; a CSR row has an offset int64, columns int32 and values. */
function featureRowBytes(
  { kind, dim, numValues }: GraphSize["features"],
  numNodes: number,
  dtype: FeatureDtype,
): number {
  const { bytes } = storedAs[dtype];
  if (kind === "dense") return dim * bytes;
  if (kind === "none") return 0;
  const perRow = numValues === undefined ? Math.ceil(dim * csrDensity) : numValues / Math.max(1, numNodes);
  return 8 + perRow * (4 + bytes);
}

/** Rows of the input layer of one rank's batch; never more than there are nodes. */
function batchRows(input: EstimateInput): number {
  return Math.min(input.graph.numNodes, seedsPerBatch(input) * input.rowsPerSeed);
}

function seedsPerBatch({ graph, batchSize, ranks }: EstimateInput): number {
  return Math.ceil(Math.min(batchSize, Math.max(1, graph.numTrainNodes)) / ranks);
}

/** Edges of all blocks of one rank's batch */
function batchEdges(input: EstimateInput): number {
  return Math.min(seedsPerBatch(input) * input.rowsPerSeed, numMessageEdges(input) * Math.max(1, input.numHops));
}

function deviceMemory(input: EstimateInput): DeviceNeeds {
  if (!input.device) return { lines: [], placed: null, learnedPlacement: null, samplingPlace: null };
  const { memoryBytes: deviceBytes, hostBytes: all } = input.device;
  const hostBytes = pinnableBytes(all, input.ranks);
  return deviceLines(input, { rows: batchRows(input), edges: batchEdges(input) }, { deviceBytes, hostBytes });
}

/** Memory of a process that reads the edges alone, on a host of its own; beside the ranks it shares their mapping. */
function samplerLines(input: EstimateInput, samplers: number): EstimateLine[] {
  const { graph, ranks, numHops } = input;
  const drawn = batchEdges(input);
  // A column per edge drawn; of every block's rows an id and an offset. Once as drawn, once on its way.
  const batch = (drawn * 4 + batchRows(input) * 8 * Math.max(1, numHops)) * 2;
  const edges = "edges, mapped once per host and shared by its sampler processes";
  return [
    { of: "samplerMemory", what: "process", amount: processBytes },
    { of: "samplerMemory", what: edges, amount: edgeBytes(graph) / samplers },
    {
      of: "samplerMemory",
      what: `blocks of ${askedBatches} batches of every rank`,
      amount: batch * askedBatches * ranks,
    },
  ];
}

function memoryLines(input: EstimateInput): EstimateLine[] {
  const { graph, ranks, numParameters, numFrozenParameters, hiddenFeats, numHops, numLayers = numHops } = input;
  const rows = batchRows(input);
  // Activation and gradient of every layer; the input layer's rows are the most, the others are counted as if they
  // were.
  const activations = rows * hiddenFeats * 4 * 2 * Math.max(1, numLayers);
  const inference = graph.numNodes * (2 * hiddenFeats + graph.numClasses) * 4;
  return [
    { of: "memory", what: "process", amount: processBytes },
    {
      of: "memory",
      what: "graph, mapped once per host and shared by its ranks",
      amount: graphBytes(graph, input.featureDtype) / ranks,
    },
    { of: "memory", ...weightsTerm({ numParameters, numFrozenParameters }) },
    {
      of: "memory",
      what: `features of ${queuedBatches} batches`,
      amount: rows * featureRowBytes(graph.features, graph.numNodes, "fp32") * queuedBatches,
    },
    { of: "memory", what: "activations and their gradients", amount: activations },
    { of: "memory", what: "hidden rows of layer-wise inference, shared by the ranks", amount: inference / ranks },
    ...madeEdgesLines(input),
    ...(input.keepsFeatureSums ? [featureSumsLine(input)] : []),
    ...learnedRowsLines(input),
    ...linkMemoryLines(input),
    ...edgeMemoryLines(input),
    ...contrastMemoryLines(input),
    ...walkMemoryLines(input),
  ];
}

/** All float32. Those of a step are side by side with the features, on the tape, and so is their gradient. */
function learnedRowsLines(input: EstimateInput): EstimateLine[] {
  const { graph, learnedRows, ranks, isPartitioned = false } = input;
  if (!learnedRows) return [];
  const { dim } = learnedRows;
  const { numNodes, features } = graph;
  const perInputRow = 4 * (features.dim + dim) + 2 * dim;
  const seen = {
    what: "learned rows as evaluation reads them, shared by the ranks",
    amount: (numNodes * dim * 4) / ranks,
  };
  return [
    {
      what: "learned rows, their optimizer's state and the best evaluations' rows",
      amount: (numNodes * keptRowBytes(input, learnedRows)) / ranks,
    },
    // Each rank asks the owners instead.
    ...(isPartitioned ? [] : [seen]),
    { what: "input rows of a step and their gradients", amount: batchRows(input) * perInputRow * 4 },
  ].map((line) => ({ of: "memory", ...line }));
}

/** Bytes of each node's row that a rank holds, and a checkpoint */
function keptRowBytes({ keptCheckpoints }: EstimateInput, { dim, stateBytesPerRow }: LearnedRowsSize): number {
  return dim * 4 * (1 + keptCheckpoints) + stateBytesPerRow;
}

/** float32 rows; of CSR rows as many columns as a node and its neighbours have, unless there are not so many. */
function featureSumsLine({ graph, ranks }: EstimateInput): EstimateLine {
  const { numNodes, numEdges, features } = graph;
  const perRow = featureRowBytes(features, numNodes, "fp32");
  const mostCsr = 8 + features.dim * 8;
  const amount = features.kind === "csr" ? Math.min(mostCsr, perRow * (1 + numEdges / Math.max(1, numNodes))) : perRow;
  return { of: "memory", what: "sums of the features, shared by the ranks", amount: (numNodes * amount) / ranks };
}

function partitionPeak({ graph, partitionBytes }: EstimateInput): number {
  return processBytes + graphBytes(graph) + partitionBytes;
}

/** Bytes of a text id in an index of ids, and of what is known of a node beside */
const indexedIdBytes = 100 + 10;

/** The stage holds the ids of all nodes; the vectors lie in its file. */
function vectorPeaks({ graph, learnedRows }: EstimateInput): EstimateLine[] {
  if (!learnedRows?.fromFile) return [];
  const amount = processBytes + graph.numNodes * (indexedIdBytes + learnedRows.dim * 4);
  return [{ of: "partitionMemory", what: "reading vectors by the nodes' ids, on one rank before training", amount }];
}

function diskLines(input: EstimateInput): EstimateLine[] {
  const { graph, featureDtype, numParameters, hiddenFeats, keptCheckpoints, learnedRows } = input;
  const rows = graph.numNodes * 4;
  return [
    { of: "disk", what: "parts", amount: graphBytes(graph, featureDtype) + graph.numNodes * 4 + graph.numEdges * 8 },
    { of: "disk", what: "checkpoints and model", amount: numParameters * 4 * (4 * (keptCheckpoints + 1) + 1) },
    ...(learnedRows ? [learnedRowsOnDisk(input, learnedRows)] : []),
    ...(learnedRows?.fromFile
      ? [{ of: "disk" as const, what: "vectors by node", amount: graph.numNodes * (learnedRows.dim * 4 + 1) }]
      : []),
    { of: "disk", what: "inferred and remapped rows", amount: rows * (hiddenFeats + graph.numClasses) * 2 },
    { of: "disk", what: "exports, in one format", amount: rows * (hiddenFeats + graph.numClasses + 4) },
    ...linkDiskLines(input),
    ...edgeDiskLines(input),
  ];
}

/** An id as a number, or a text of usual length with the byte at which it begins */
const storedIdBytes = 20;

/** The newest checkpoint and the one that takes its place, and the model, which says whose each row is */
function learnedRowsOnDisk(input: EstimateInput, learned: LearnedRowsSize): EstimateLine {
  const perNode = 2 * keptRowBytes(input, learned) + learned.dim * 4 + storedIdBytes;
  return { of: "disk", what: "learned rows in checkpoints and model", amount: input.graph.numNodes * perNode };
}
