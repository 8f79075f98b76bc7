import { layerwiseInference } from "../infer/layerwise-inference.ts";
import { lastRowsOnEachHost } from "../infer/partitioned-inference.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { filteredFigures } from "../links/filtered-figures.ts";
import type { LinkLearning } from "../links/link-task.ts";
import { pairFigures } from "../links/pair-figures.ts";
import { recommendationFigures } from "../links/recommendation-figures.ts";
import { type NodeRows, scorePairs } from "../links/score-pairs.ts";
import type { EvaluatedRun } from "./evaluate-run.ts";
import type { SplitEvaluation } from "./evaluator.ts";

type LinkRun = Omit<EvaluatedRun, "task" | "sampler">;

/**
 * Figures of held-out links against their negatives, by exact layer-wise inference along the message graph. Memory is
 * that of inference and of one float32 [numNodes, dim] that the ranks of a host share. All ranks return the same bits.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluateLinks<Split extends "val" | "test">(
  run: LinkRun,
  { links, decoder }: { readonly links: LinkLearning; readonly decoder: LinkDecoder },
  splits: readonly Split[],
): Promise<Record<Split, SplitEvaluation>> {
  const nodes = await nodeRows(run, links.dim);
  const results: Partial<Record<"val" | "test", SplitEvaluation>> = {};
  for (const split of splits) {
    const { positives, negatives } = links.split[split];
    const { rank } = run.setup;
    const found = await scorePairs(nodes, decoder, positives, rank);
    const others = await scorePairs(nodes, decoder, negatives, rank);
    const { known } = links.split;
    const ranked =
      links.ranksAllNodes && known
        ? await filteredFigures({ nodes, decoder, rank }, { ...links.split, known }, positives)
        : {};
    const listed = links.recommends
      ? await recommendationFigures({ nodes, decoder, rank }, links.split, positives, links.recommends.to)
      : {};
    const metrics = { ...pairFigures(found, others, links.hitsAt), ...ranked, ...listed };
    results[split] = { metrics, confusion: null };
  }
  // No rank goes on to overwrite the shared rows while another one reads them.
  await run.setup.rank.collective.barrier();
  return results as Record<Split, SplitEvaluation>;
}

/**
 * The encoder's rows of all nodes, by exact layer-wise inference: the same memory for every rank of the host, also
 * where each rank holds part of the graph.
 */
export async function nodeRows({ model, data, pass, setup, fit, step }: LinkRun, dim: number): Promise<NodeRows> {
  const { rank, sharedRows } = setup;
  const { graph, features } = data;
  const rowsOf = (name: string, width: number) => sharedRows(name, graph.numNodes * width);
  const inferred = { model, graph, features, rank, signal: fit.signal, onProgress: () => fit.reporter.tick(step) };
  if (graph.remote) {
    const all = rowsOf("last", dim);
    await lastRowsOnEachHost(inferred, graph.remote, all);
    return { rows: all, dim };
  }
  let rows: Float32Array = new Float32Array();
  await layerwiseInference({
    ...inferred,
    firstLayer: pass.firstLayer,
    outputOf: (layer, width) => {
      rows = rowsOf(`hidden-${layer}`, width);
      return rows;
    },
    projectedOf: (width) => rowsOf(`projected-${width}`, width),
  });
  return { rows, dim };
}
