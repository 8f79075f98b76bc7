import type { LearntEdges } from "../edges/edge-loss.ts";
import { edgeOutputs, edgesPerChunk } from "../edges/edge-outputs.ts";
import { nodeRows } from "./evaluate-links.ts";
import type { EvaluatedRun } from "./evaluate-run.ts";
import { countedSplit, countRow, reduced, type SplitEvaluation } from "./evaluator.ts";

/**
 * Metrics of held-out edges, by exact layer-wise inference of all nodes. The ranks take a chunk of the edges each in
 * turn. Memory is that of inference and of one float32 [numNodes, dim] that the ranks of a host share.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluateEdges<Split extends "val" | "test">(
  run: Omit<EvaluatedRun, "task" | "sampler">,
  { task, head, edges }: LearntEdges,
  {
    dim,
    splits,
    withRanking,
  }: { readonly dim: number; readonly splits: readonly Split[]; readonly withRanking: boolean },
): Promise<Record<Split, SplitEvaluation>> {
  const { rank, sharedRows } = run.setup;
  const nodes = await nodeRows(run, dim);
  const onProgress = () => run.fit.reporter.tick(run.step);
  const isOneHost = (rank.numHosts ?? 1) === 1;
  // Ranks that share no memory fill rows of their own, which are added up.
  const scoresOf = (split: "train" | "val" | "test", length: number) =>
    isOneHost ? sharedRows(`scores-${split}`, length) : new Float32Array(length);
  const counted = splits.map((split) => countedSplit({ task, scoresOf: withRanking ? scoresOf : undefined }, split));
  const chunk = edgesPerChunk(dim);
  for (const each of counted) {
    const ids = task.seedsOf(each.split);
    for (let first = rank.rank * chunk; first < ids.length; first += chunk * rank.worldSize) {
      const own = ids.subarray(first, first + chunk);
      const outputs = edgeOutputs(nodes, head, edges, own);
      for (const [row, edge] of own.entries()) countRow(each, outputs, row, edge);
      onProgress();
    }
  }
  const results = await reduced<Split>({ rank, onClass: onProgress, addsUpScores: !isOneHost }, counted);
  // No rank goes on to overwrite the shared rows while another one reads them.
  await rank.collective.barrier();
  return results;
}
