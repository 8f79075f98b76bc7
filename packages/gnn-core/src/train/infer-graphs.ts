import type { LearntGraphs } from "./graph-epoch.ts";
import { forGraphRows, type GraphRowsParts } from "./graph-rows.ts";

/** Rows of all graphs of a set, by their numbers in it */
export interface InferredGraphs {
  /** float32 [numGraphs, dim] */
  readonly embeddings: Float32Array;
  /** float32 [numGraphs, outDim] */
  readonly outputs: Float32Array;
}

/**
 * Each rank computes its share; zeros stand for the others' until the rows are added up, which changes no bit.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function inferGraphs(parts: GraphRowsParts, learnt: LearntGraphs): Promise<InferredGraphs> {
  const numGraphs = learnt.offsets.length - 1;
  const { scaling } = learnt.task;
  const all = Int32Array.from({ length: numGraphs }, (_, graph) => graph);
  const [width, outDim] = [learnt.head.embeddingDim, learnt.task.outDim];
  const embeddings = new Float32Array(numGraphs * width);
  const outputs = new Float32Array(numGraphs * outDim);
  await forGraphRows(parts, learnt, all, (rows) => {
    for (const [row, graph] of rows.graphs.entries()) {
      embeddings.set(rows.embeddings.subarray(row * width, (row + 1) * width), graph * width);
      for (let column = 0; column < outDim; column++) {
        const value = rows.outputs[row * outDim + column] as number;
        const [mean, scale] = [scaling?.mean[column] ?? 0, scaling?.scale[column] ?? 1];
        outputs[graph * outDim + column] = mean + scale * value;
      }
    }
  });
  for (const rows of [embeddings, outputs]) await parts.rank.collective.allReduceSum(rows);
  return { embeddings, outputs };
}
