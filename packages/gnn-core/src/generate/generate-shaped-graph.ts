import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { loadAddon } from "../backends/native/addon.ts";
import type { BlockModelHandle } from "../backends/native/generate-addon.ts";
import { native } from "../backends/native/native-error.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { NpyWriter } from "../io/npy.ts";
import type { StepProgress } from "../io/step-progress.ts";
import { type DrawnGraph, drawColumns } from "./draw-columns.ts";
import { featureSlices } from "./feature-slices.ts";
import { type GenerationOptions, onThreads, progressOf } from "./generation-options.ts";
import type { GraphShape } from "./graph-shape.ts";
import { PairsInFiles } from "./pair-store.ts";
import { blockModel } from "./shaped-graph.ts";
import { splitNames, writeShapedMeta } from "./shaped-graph-files.ts";

export interface GenerateShapedOptions extends GenerationOptions {
  readonly seed?: number;
  /** Memory for edges and rows under way. Default 256 MiB */
  readonly memoryBytes?: number;
}

/**
 * A bucket is read, its columns sorted and written: 8 + 4 + 8 + 8 bytes a key, and room for buckets of unequal size.
 */
const bytesPerKey = 40;
const bytesPerDraw = 64;
const labelsAtOnce = 2 ** 18;

/**
 * Writes the graph that `shapedGraph` of the same shape and seed holds, bit for bit, as the files that
 * `readShapedGraph` maps, without ever holding it: the memory is 25 bytes a node (its propensity, homophily, split),
 * `memoryBytes` and what the process had. Drawn pairs wait in a folder beside the files, about 22 bytes for each pair;
 * it is removed.
 *
 * @throws GnnError SPEC_INVALID, CANCELLED (then the folder holds no meta.json and cannot be read)
 */
export async function generateShapedGraph(
  dir: string,
  shape: GraphShape,
  options: GenerateShapedOptions = {},
): Promise<{ readonly numEdges: number }> {
  const { seed = 0, memoryBytes = 256 * 2 ** 20 } = options;
  await mkdir(dir, { recursive: true });
  return onThreads(options.threads, async () => {
    const progress = progressOf(options);
    const model = await blockModel(shape, seed);
    const { numNodes, numPairs, featureDim, classPrior } = shape;
    const numEdges = await writeColumns(dir, { source: model, numNodes, numPairs, seed }, memoryBytes, progress);
    await writeLabels(dir, model, shape, progress);
    const writer = await NpyWriter.open(join(dir, "feat.npy"), "float32", [featureDim]);
    await writing(writer, async () => {
      for await (const { values } of featureSlices(model, shape, progress)) {
        await writer.append(values);
        loadAddon().freeArray(values);
      }
    });
    await writeShapedMeta(dir, { numNodes, numEdges, featureDim, numClasses: classPrior.length });
    return { numEdges };
  });
}

/** `indptr.npy` and `indices.npy` of a drawn graph. @returns the number of edges */
export async function writeColumns(
  dir: string,
  graph: DrawnGraph,
  memoryBytes: number,
  progress: StepProgress,
): Promise<number> {
  const { numNodes, numPairs } = graph;
  const numBuckets = Math.max(1, Math.ceil((2.5 * numPairs * bytesPerKey) / memoryBytes));
  const nodesPerBucket = Math.max(1, Math.ceil(numNodes / numBuckets));
  const drawsAtOnce = Math.max(1024, Math.min(2 ** 20, Math.floor(memoryBytes / bytesPerDraw)));
  const store = await PairsInFiles.open(await mkdtemp(join(dir, "pairs-")), Math.ceil(numNodes / nodesPerBucket));
  const indptr = await NpyWriter.open(join(dir, "indptr.npy"), "int64", []);
  const indices = await NpyWriter.open(join(dir, "indices.npy"), "int32", []);
  let numEdges = 0;
  try {
    await writing(indptr, () =>
      writing(indices, async () => {
        for await (const columns of drawColumns(graph, { store, nodesPerBucket, drawsAtOnce }, progress)) {
          // A range begins with the offset that the one before it ended with.
          await indptr.append(columns.firstNode === 0 ? columns.indptr : columns.indptr.subarray(1));
          await indices.append(columns.indices);
          numEdges += columns.indices.length;
          for (const array of [columns.indptr, columns.indices]) loadAddon().freeArray(array);
        }
      }),
    );
  } finally {
    await store.close();
  }
  return numEdges;
}

async function writeLabels(
  dir: string,
  model: BlockModelHandle,
  { numNodes }: GraphShape,
  progress: StepProgress,
): Promise<void> {
  const split = await native(() => loadAddon().generatedSplit(model));
  const labels = await NpyWriter.open(join(dir, "label.npy"), "int64", []);
  await writing(labels, async () => {
    for (let first = 0; first < numNodes; first += labelsAtOnce) {
      progress.report("labels", first, numNodes, "nodes");
      const count = Math.min(labelsAtOnce, numNodes - first);
      const drawn = await native(() => loadAddon().generatedLabels(model, first, count, split));
      await labels.append(BigInt64Array.from(drawn, BigInt));
    }
  });
  for (const name of splitNames) {
    const ids = await NpyWriter.open(join(dir, `${name}_idx.npy`), "int64", []);
    await writing(ids, async () => {
      for (let first = 0; first < numNodes; first += labelsAtOnce) {
        progress.report(`${name} split`, first, numNodes, "nodes");
        await ids.append(idsOf(split.subarray(first, first + labelsAtOnce), splitCode[name], first));
      }
    });
  }
}

function idsOf(split: Int8Array, code: number, first: number): BigInt64Array {
  const ids: bigint[] = [];
  for (const [i, value] of split.entries()) if (value === code) ids.push(BigInt(first + i));
  return BigInt64Array.from(ids);
}

/** Closes the file whatever happens; it gets its header only when all went well. */
async function writing(
  writer: { close(): Promise<unknown>; abandon(): Promise<void> },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  await writer.close();
}
