import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { GnnError } from "../errors/gnn-error.ts";
import { csvField } from "../export/write-csv.ts";
import { type BlockModel, drawBlockModel, drawEdges } from "./block-model.ts";
import { SeededRandom } from "./random.ts";

export interface CitationGraphOptions {
  /** Nodes. Default 20,000. */
  readonly numNodes?: number;
  /** Distinct undirected edges; each is one row. Default 200,000. */
  readonly numEdges?: number;
  /** Communities = classes. Default 8. */
  readonly numClasses?: number;
  /** Dense feature columns. Default 64. */
  readonly featureDim?: number;
  /** Length of the class centres in units of the noise: how much the features alone tell. Default 1.2. */
  readonly signal?: number;
  /** Share of labels drawn at random: the ceiling of every model is about 1 − labelNoise. Default 0.04. */
  readonly labelNoise?: number;
  readonly seed?: number;
  /** Gzip the files. Default false. */
  readonly gzip?: boolean;
}

export interface CitationGraph {
  readonly edgesFile: string;
  readonly nodesFile: string;
  readonly numNodes: number;
  readonly numEdges: number;
  readonly numClasses: number;
  readonly featureDim: number;
}

/** Ids that a careless reader merges, renames or tears apart. */
export const trapIds = ["007", "7", "1e5", "100000", "000413E7", "413e7", "paper 🦉", "Doe, Jane 2019", "-0", "0"];

const topics = ["Databases", "Graphics", "Learning", "Networks", "Security", "Systems", "Theory", "Vision"];
const rowsPerChunk = 500;

/**
 * Writes a made-up citation graph as `edges.csv` (src, dst) and `nodes.csv` (id, label, split, f0 …): communities
 * that cite themselves most, log-normal popularity, features that tell the class only vaguely, so that a model that
 * looks at neighbours does clearly better than one that does not. Ids are text and hold the traps above.
 *
 * The model is a degree-corrected stochastic block model (Karrer & Newman 2011, arXiv:1008.3926). The same options
 * give the same bytes.
 *
 * @throws GnnError CANCELLED when `abort` is
 */
export async function writeCitationGraph(
  dir: string,
  options: CitationGraphOptions = {},
  abort?: AbortSignal,
): Promise<CitationGraph> {
  const { numNodes = 20_000, numEdges = 200_000, numClasses = 8, featureDim = 64 } = options;
  const { signal = 1.2, labelNoise = 0.04, seed = 0, gzip = false } = options;
  const random = new SeededRandom(seed);
  const model = drawBlockModel(random, numNodes, numClasses);
  const ids = drawIds(random, numNodes);
  const edges = drawEdges(random, model, numEdges);
  const ending = gzip ? ".csv.gz" : ".csv";
  const files = { edgesFile: join(dir, `edges${ending}`), nodesFile: join(dir, `nodes${ending}`) };
  await mkdir(dir, { recursive: true });
  await writeText(files.edgesFile, edgeLines(edges, ids), gzip, abort);
  await writeText(files.nodesFile, nodeLines(random, model, ids, { featureDim, signal, labelNoise }), gzip, abort);
  return { ...files, numNodes, numEdges: edges.length / 2, numClasses, featureDim };
}

/** Texts such as `p0000a3f1`, in random order, with the traps at random places. */
function drawIds(random: SeededRandom, numNodes: number): string[] {
  const ids = Array.from(random.permutation(numNodes), (number) => `p${number.toString(16).padStart(7, "0")}`);
  const places = random.permutation(numNodes);
  trapIds.slice(0, numNodes).forEach((id, i) => {
    ids[places[i]!] = id;
  });
  return ids;
}

function* edgeLines(edges: Int32Array, ids: readonly string[]): Iterable<string> {
  let lines = "src,dst\n";
  for (let i = 0; i < edges.length; i += 2) {
    lines += `${csvField(ids[edges[i]!]!)},${csvField(ids[edges[i + 1]!]!)}\n`;
    if ((i / 2) % rowsPerChunk !== 0) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

interface FeatureModel {
  readonly featureDim: number;
  readonly signal: number;
  readonly labelNoise: number;
}

function* nodeLines(
  random: SeededRandom,
  { numClasses, classes }: BlockModel,
  ids: readonly string[],
  { featureDim, signal, labelNoise }: FeatureModel,
): Iterable<string> {
  const centres = Array.from({ length: numClasses }, () => unitVector(random, featureDim));
  const columns = Array.from({ length: featureDim }, (_, i) => `f${i}`);
  let lines = `id,label,split,${columns.join(",")}\n`;
  for (const [node, id] of ids.entries()) {
    const truth = classes[node]!;
    const label = random.uniform() < labelNoise ? random.integer(numClasses) : truth;
    const centre = centres[truth]!;
    const features = centre.map((value) => (signal * value + random.normal()).toFixed(4));
    lines += `${csvField(id)},${topicOf(label)},${drawSplit(random)},${features.join(",")}\n`;
    if (node % rowsPerChunk !== 0) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

function unitVector(random: SeededRandom, dim: number): number[] {
  const vector = Array.from({ length: dim }, () => random.normal());
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function topicOf(label: number): string {
  return topics[label] ?? `Topic${label + 1}`;
}

/** 30 % train, 20 % val, 40 % test, the rest in no split. */
function drawSplit(random: SeededRandom): string {
  const draw = random.uniform();
  if (draw < 0.3) return "train";
  if (draw < 0.5) return "val";
  return draw < 0.9 ? "test" : "none";
}

async function writeText(
  path: string,
  chunks: Iterable<string>,
  gzip: boolean,
  abort: AbortSignal | undefined,
): Promise<void> {
  const source = Readable.from(chunks);
  const options = abort ? { signal: abort } : {};
  try {
    if (gzip) await pipeline(source, createGzip(), createWriteStream(path), options);
    else await pipeline(source, createWriteStream(path), options);
  } catch (cause) {
    if (abort?.aborted) throw new GnnError("CANCELLED", `Writing ${path} was cancelled.`, { cause });
    throw cause;
  }
}
