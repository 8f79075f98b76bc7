/** The columns of some nodes of a large graph; as a thread's program it draws what it was started with. */
import { parentPort, workerData } from "node:worker_threads";

export interface DrawnPart {
  /** int32 [nodes of the graph] */
  readonly degrees: Int32Array;
  readonly firstNode: number;
  readonly numNodes: number;
  readonly exponent: number;
  readonly stride: number;
  readonly seed: number;
}

export function drawPart({ degrees, firstNode, numNodes, exponent, stride, seed }: DrawnPart): {
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
} {
  const indptr = new BigInt64Array(new SharedArrayBuffer((numNodes + 1) * 8));
  // The low halves of the offsets, which is all that a part's have: BigInts are slow.
  const offsets = new Uint32Array(indptr.buffer);
  let numEdges = 0;
  for (let i = 0; i < numNodes; i++) offsets[2 * i + 2] = numEdges += degrees[firstNode + i] as number;
  const indices = new Int32Array(new SharedArrayBuffer(numEdges * 4));
  const total = degrees.length;
  const power = 1 / (1 - exponent);
  let state = seed;
  for (let e = 0; e < numEdges; e++) {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    const uniform = ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
    indices[e] = (Math.floor(total * uniform ** power) * stride) % total;
  }
  return { indptr, indices };
}

if (parentPort) parentPort.postMessage(drawPart(workerData as DrawnPart), []);
