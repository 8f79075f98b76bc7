import { join } from "node:path";
import { placesAmong } from "../../graph/edge-times.ts";
import { type WrittenArray, writeNpy } from "../npy.ts";
import type { EdgeLabels } from "./edge-labels.ts";
import { edgeRowsFolder } from "./edge-rows-folder.ts";
import type { EdgeRowsInfo } from "./edge-rows-info.ts";
import type { EdgeRows } from "./read-edges.ts";
import type { StoredEdges } from "./store-edges.ts";
import { writeLabels } from "./write-labels.ts";
import { writeSplits } from "./write-splits.ts";

/**
 * Writes the rows of edges that have something to be predicted, in the order of the files, into the folder `edge-rows`.
 * It is laid out as an artifact of a graph whose nodes they are: what reads labels and splits of nodes reads those of
 * edges there. Beside them, of every row:
 *
 *   ends.npy    int32 [rows, 2]: NodeIndex of source and target, as the row names them
 *   stored.npy  int32 [rows]: the stored edge that leads that way, whose features are the row's
 *   time.npy    int32 [rows]: its place in the order of times, where edges have some
 *
 * @returns null: nothing of the edges is to be predicted
 */
export async function writeEdgeRows(
  outDir: string,
  edges: EdgeRows,
  stored: StoredEdges,
): Promise<{ readonly info: EdgeRowsInfo; readonly blobs: WrittenArray[] } | null> {
  const { known } = edges;
  if (!known) return null;
  const { firstRow = 0, links = edges.links, directed } = known.relation ?? {};
  const dir = join(outDir, edgeRowsFolder);
  const storedOf = storedEdgeOf(edges, stored);
  const places = Int32Array.from({ length: numLabelled(known, edges) }, (_, at) => at).filter(
    (at) => storedOf[firstRow + at]! >= 0,
  );
  const rows = places.map((at) => firstRow + at);
  const labels = await writeLabels(dir, { ...takeRows(known, places), labelPairs: null }, rows.length);
  const splits = links.split && places.map((at) => links.split![at]!);
  const split = splits && (await writeSplits(dir, { splits }, rows.length));
  const ends = new Int32Array(2 * rows.length);
  for (const [at, row] of rows.entries()) ends.set([edges.src[row]!, edges.dst[row]!], 2 * at);
  const blobs: WrittenArray[] = [...labels.blobs, ...(split ? [split.blob] : [])];
  const write = async (name: string, values: Int32Array, shape: number[]) => {
    await writeNpy(join(dir, name), "int32", shape, values);
    blobs.push({ name, dtype: "int32", shape });
  };
  await write("ends.npy", ends, [rows.length, 2]);
  await write(
    "stored.npy",
    rows.map((row) => storedOf[row]!),
    [rows.length],
  );
  if (links.times)
    await write("time.npy", placesAmong(Float64Array.from(places, (at) => links.times![at]!)), [rows.length]);
  const info: EdgeRowsInfo = {
    numRows: rows.length,
    classes: labels.classes,
    labelCounts: labels.labelCounts,
    targets: labels.targets,
    splits: split?.counts ?? null,
    hasTimes: links.times !== null,
    ...(directed !== undefined && { directed }),
    featureDim: edges.features ? edges.features.length / edges.src.length : 0,
  };
  return { info, blobs: blobs.map((blob) => ({ ...blob, name: `${edgeRowsFolder}/${blob.name}` })) };
}

/** How many rows have a class or targets, known or not: those of the labelled relation, or all */
function numLabelled({ labels, targets, targetNames }: EdgeLabels, { numGiven }: EdgeRows): number {
  if (labels.length > 0) return labels.length;
  return targetNames.length > 0 ? targets.length / targetNames.length : numGiven;
}

/** The stored edge of every row of the files that leads from its source to its target; -1: the row repeats another. */
function storedEdgeOf({ src, numGiven }: EdgeRows, { indices, rows }: StoredEdges): Int32Array {
  const storedOf = new Int32Array(numGiven).fill(-1);
  for (let edge = 0; edge < rows.length; edge++) {
    const row = rows[edge]!;
    if (row < numGiven && indices[edge] === src[row]) storedOf[row] = edge;
  }
  return storedOf;
}

function takeRows({ labels, classes, targetNames, targets }: NonNullable<EdgeRows["known"]>, rows: Int32Array) {
  const width = targetNames.length;
  const taken = new Float32Array(rows.length * width);
  for (const [at, row] of rows.entries()) taken.set(targets.subarray(row * width, (row + 1) * width), at * width);
  return {
    classes,
    targetNames,
    labels: labels.length === 0 ? labels : rows.map((row) => labels[row]!),
    targets: taken,
  };
}
