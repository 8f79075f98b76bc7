import { type Tensor2D, tensor2d } from "../backends/tf.ts";

/** The rows of some nodes, of rows of all of them, float32 [nodes.length, dim]. */
export function pickedRows(rows: Float32Array, dim: number, nodes: Int32Array): Tensor2D {
  const values = new Float32Array(nodes.length * dim);
  for (const [i, node] of nodes.entries()) values.set(rows.subarray(node * dim, (node + 1) * dim), i * dim);
  return tensor2d(values, [nodes.length, dim]);
}
