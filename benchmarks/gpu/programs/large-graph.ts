/**
 * A graph of a size at which drawing a block model would take minutes, made within seconds by as many threads as there
 * are processors. Degrees and how often a node is drawn follow one power law; ids scatter the popular nodes. Columns
 * are not sorted and may repeat a neighbour.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { CscGraph, CscPart } from "../../../packages/gnn-core/src/graph/csc-graph.ts";
import { type DrawnPart, drawPart } from "./draw-part.ts";

export interface LargeShape {
  readonly numNodes: number;
  readonly meanDegree: number;
  /** Degrees of the rank-th node go with rank^-exponent, up to the most */
  readonly exponent: number;
  readonly maxDegree: number;
}

/** A prime step through the ids, which visits each once; times any id it stays below 2^53. */
const stride = 61_803_419;

/** int32 [numNodes] */
function degreesOf({ numNodes, meanDegree, exponent, maxDegree }: LargeShape): Int32Array {
  const degrees = new Int32Array(new SharedArrayBuffer(numNodes * 4));
  const scale = meanDegree * (1 - exponent) * numNodes ** exponent;
  for (let rank = 0, id = 0; rank < numNodes; rank++) {
    degrees[id] = Math.min(maxDegree, Math.max(1, Math.round(scale * (rank + 0.5) ** -exponent)));
    id = (id + stride) % numNodes;
  }
  return degrees;
}

/** @param program the compiled draw-part.ts; null: this thread draws, as in a test */
export async function largeGraph(shape: LargeShape, program: string | null): Promise<CscGraph> {
  const { numNodes, exponent } = shape;
  const degrees = degreesOf(shape);
  const numParts = program ? Math.max(16, availableParallelism()) : 2;
  const ranges = Array.from({ length: numParts }, (_, i) => Math.floor((i * numNodes) / numParts));
  const parts = await Promise.all(
    ranges.map((firstNode, i): Promise<CscPart> => {
      const count = (ranges[i + 1] ?? numNodes) - firstNode;
      return drawn({ degrees, firstNode, numNodes: count, exponent, stride, seed: i + 1 }, program);
    }),
  );
  const numEdges = parts.reduce((sum, { indices }) => sum + indices.length, 0);
  return { device: "cpu", numNodes, numEdges, parts };
}

async function drawn(part: DrawnPart, program: string | null): Promise<CscPart> {
  const { indptr, indices } = program ? await drawnElsewhere(part, program) : drawPart(part);
  return { firstNode: part.firstNode, numNodes: part.numNodes, indptr, indices, weights: null };
}

function drawnElsewhere(part: DrawnPart, program: string): Promise<Pick<CscPart, "indptr" | "indices">> {
  return new Promise((resolve, reject) => {
    new Worker(program, { workerData: part }).once("message", resolve).once("error", reject);
  });
}
