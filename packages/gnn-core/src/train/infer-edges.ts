import type { LearntEdges } from "../edges/edge-loss.ts";
import { edgeOutputs, edgesPerChunk } from "../edges/edge-outputs.ts";
import type { LabelledEdges } from "../edges/edge-task.ts";
import type { NodeRows } from "../links/score-pairs.ts";
import type { OutputScaling } from "../tasks/output-scaling.ts";

/** Outputs of edges, in their order */
export interface InferredEdges {
  /** float32 [edges, outDim]: logits of classes, or numbers in their units */
  readonly outputs: Float32Array;
  readonly outDim: number;
}

/** @param nodes rows of all nodes, by the ids that the edges' ends have */
export function inferEdges(nodes: NodeRows, { head, task }: LearntEdges, edges: LabelledEdges): InferredEdges {
  const numEdges = edges.src.length;
  const { outDim, scaling } = task;
  const outputs = new Float32Array(numEdges * outDim);
  for (const { first, ids } of chunksOf(numEdges, nodes.dim)) {
    outputs.set(inUnits(edgeOutputs(nodes, head, edges, ids), scaling), first * outDim);
  }
  return { outputs, outDim };
}

/** Edges some at a time, so that the rows of their ends take a bounded memory. */
export function* chunksOf(
  numEdges: number,
  dim: number,
): Generator<{ readonly first: number; readonly ids: Int32Array }> {
  const chunk = edgesPerChunk(dim);
  for (let first = 0; first < numEdges; first += chunk) {
    yield { first, ids: Int32Array.from({ length: Math.min(chunk, numEdges - first) }, (_, i) => first + i) };
  }
}

/** Outputs as predictions in the units of the targets; of classes as they are. */
export function inUnits(outputs: Float32Array, scaling: OutputScaling | null): Float32Array {
  if (!scaling) return outputs;
  const { mean, scale } = scaling;
  const width = mean.length;
  return outputs.map((value, i) => value * (scale[i % width] as number) + (mean[i % width] as number));
}
