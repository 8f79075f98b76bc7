import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

type Edges = Pick<EstimateInput, "graph" | "madeEdges">;

/** Edges along which messages go */
export function numMessageEdges({ graph, madeEdges }: Edges): number {
  return graph.numEdges * (madeEdges?.perEdge ?? 1);
}

/** What a rank makes beside the edges that are stored: offsets int64, indices int32, weights float32 */
export function madeEdgesLines({ graph, madeEdges }: Edges): EstimateLine[] {
  if (!madeEdges) return [];
  const amount = (graph.numNodes + 1) * 8 + graph.numEdges * madeEdges.perEdge * (madeEdges.isWeighted ? 8 : 4);
  return [{ of: "memory", what: "edges along which messages go", amount }];
}
