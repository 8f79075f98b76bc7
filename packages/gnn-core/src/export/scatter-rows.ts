import { NpyReader, NpyWriter } from "../io/npy.ts";
import type { StepProgress } from "../io/step-progress.ts";

const windowBytes = 256 << 20;
const readBytes = 8 << 20;

/**
 * Writes the rows of a float32 matrix in another order: out[nodeMap[row]] = in[row]. At most 256 MiB of rows are
 * held: a larger matrix is read once for each such window of the output.
 *
 * nodeMap [2, 0, 1]: out = [in[1], in[2], in[0]]
 *
 * @param nodeMap a permutation of the rows
 * @returns shape of the matrix
 */
export async function scatterRows(
  from: string,
  to: string,
  nodeMap: Int32Array,
  progress: StepProgress,
): Promise<[number, number]> {
  const reader = await NpyReader.open(from, "float32");
  const dim = reader.rowLength;
  const writer = await NpyWriter.open(to, "float32", [dim]);
  try {
    const windowRows = Math.max(1, Math.floor(windowBytes / 4 / Math.max(1, dim)));
    for (let first = 0; first < nodeMap.length; first += windowRows) {
      const rows = Math.min(windowRows, nodeMap.length - first);
      await writer.append(await gatherWindow(reader, nodeMap, first, rows));
      progress.report("remap rows", first + rows, nodeMap.length, "rows");
    }
    await writer.close();
    return [nodeMap.length, dim];
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    await reader.close();
  }
}

async function gatherWindow(
  reader: NpyReader<"float32">,
  nodeMap: Int32Array,
  first: number,
  rows: number,
): Promise<Float32Array> {
  const dim = reader.rowLength;
  const window = new Float32Array(rows * dim);
  const batchRows = Math.max(1, Math.floor(readBytes / 4 / Math.max(1, dim)));
  for (let start = 0; start < reader.numRows; start += batchRows) {
    const batch = await reader.readRows(start, batchRows);
    for (let i = 0; i * dim < batch.length; i++) {
      const row = nodeMap[start + i]! - first;
      if (row >= 0 && row < rows) window.set(batch.subarray(i * dim, (i + 1) * dim), row * dim);
    }
  }
  return window;
}
