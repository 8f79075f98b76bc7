import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { formatNpyHeader } from "../io/npy-header.ts";

/**
 * A float32 `.npy` file that the ranks of a host fill together, each its own rows: no rank holds it whole.
 * The file is complete once every rank has written its rows.
 *
 * @returns the elements [numRows · dim], writable, backed by the file
 */
export function sharedNpy(path: string, numRows: number, dim: number): Float32Array {
  const header = formatNpyHeader("float32", [numRows, dim]);
  const length = numRows * dim;
  const bytes = header.length + length * Float32Array.BYTES_PER_ELEMENT;
  const buffer = nativeSync(() => loadAddon().mapFileWritable(path, bytes));
  new Uint8Array(buffer).set(header); // every rank writes the same bytes
  return new Float32Array(buffer, header.length, length);
}
