import { withDegrees } from "../sampling/with-degrees.ts";
import type { OutputScaling } from "../tasks/output-scaling.ts";
import type { GraphHead } from "../whole-graphs/graph-head.ts";
import type { GraphSet } from "../whole-graphs/graph-set.ts";
import { forGraphRows, type GraphRowsParts } from "./graph-rows.ts";
import { samplerOfGraphs } from "./sampler-of-graphs.ts";

/** Rows of all graphs of a set, by their numbers in it */
export interface InferredGraphs {
  /** float32 [numGraphs, dim] */
  readonly embeddings: Float32Array;
  /** float32 [numGraphs, outDim] */
  readonly outputs: Float32Array;
}

/** What rows of graphs are computed with, labelled or not */
export interface GraphOutputs {
  readonly head: GraphHead;
  /** int32 [numGraphs + 1] */
  readonly offsets: Int32Array;
  readonly outDim: number;
  /** Prediction = output · scale + mean; null: the outputs are what is predicted */
  readonly scaling: OutputScaling | null;
}

/**
 * Each rank computes its share; zeros stand for the others' until the rows are added up, which changes no bit.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function inferGraphs(parts: GraphRowsParts, graphs: GraphOutputs): Promise<InferredGraphs> {
  const { head, offsets, outDim, scaling } = graphs;
  const numGraphs = offsets.length - 1;
  const all = Int32Array.from({ length: numGraphs }, (_, graph) => graph);
  const width = head.embeddingDim;
  const embeddings = new Float32Array(numGraphs * width);
  const outputs = new Float32Array(numGraphs * outDim);
  await forGraphRows(parts, graphs, all, (rows) => {
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

/** A model of whole graphs that is applied, whoever trained it */
export interface AppliedToGraphs extends Pick<GraphRowsParts, "model" | "features" | "batchSize" | "rank" | "signal"> {
  readonly numHops: number;
  readonly set: GraphSet;
  /** @param done graphs that all ranks have come to */
  readonly onProgress: (done: number) => void;
}

/** `inferGraphs` without a trainer. @throws GnnError CANCELLED on every rank when the signal of one is aborted */
export async function inferredGraphs(
  { numHops, set, onProgress, ...parts }: AppliedToGraphs,
  graphs: GraphOutputs,
): Promise<InferredGraphs> {
  const drawn = await samplerOfGraphs(set, { numHops, seed: 0 });
  const sampler = parts.model.usesDegrees ? withDegrees(drawn, set.graph) : drawn;
  const numGraphs = set.offsets.length - 1;
  let done = 0;
  const tell = () => {
    done = Math.min(numGraphs, done + parts.batchSize);
    onProgress(done);
  };
  return inferGraphs({ ...parts, sampler, samplerThreads: 1, onProgress: tell }, graphs);
}
