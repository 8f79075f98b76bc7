import { tensor2d, tidy } from "../backends/tf.ts";
import { type NodeRows, rowsOf } from "../links/score-pairs.ts";
import { noDropout } from "../nn/no-dropout.ts";
import type { EdgeHead } from "./edge-head.ts";
import { featuresOf } from "./edge-loss.ts";
import type { LabelledEdges } from "./edge-task.ts";

/** Floats of the ends' rows that outputs are computed from at a time, 32 MiB of each end */
const floatsPerChunk = 2 ** 23;

/** How many edges have their outputs computed at a time. */
export function edgesPerChunk(dim: number): number {
  return Math.max(1, Math.floor(floatsPerChunk / dim));
}

/**
 * The outputs of some edges, float32 [ids, outDim], from rows of all nodes.
 *
 * @param nodes the encoder's rows, by the ids that the edges' ends have
 */
export function edgeOutputs(nodes: NodeRows, head: EdgeHead, edges: LabelledEdges, ids: Int32Array): Float32Array {
  return tidy(() => {
    const rowsAt = (ends: Int32Array) => {
      const taken = rowsOf(
        nodes,
        ids.map((id) => ends[id] as number),
      );
      return tensor2d(taken, [ids.length, nodes.dim]);
    };
    const ends = { src: rowsAt(edges.src), dst: rowsAt(edges.dst) };
    return head.apply(ends, featuresOf(edges, ids), ids, noDropout).dataSync<"float32">().slice();
  });
}
