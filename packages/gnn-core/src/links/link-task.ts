import { type Rank, reshape, slice } from "../backends/tf.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import type { EdgeMiniBatch } from "../sampling/edge-loader.ts";
import type { TaskMetrics } from "../spec/task-metrics.ts";
import { type BatchSums, ratio } from "../tasks/batch-sums.ts";
import type { Metrics, TaskLoss } from "../tasks/node-task.ts";
import type { DecoderProduct, DecoderShape, LinkDecoder } from "./decoders/link-decoder.ts";
import type { LinkPenalty } from "./link-penalty.ts";
import type { LinkLoss } from "./losses/link-loss.ts";
import {
  type AskedEnds,
  type KvsAllOptions,
  type OneVsAllOptions,
  oneVsAllSum,
  queriesVsAllSum,
} from "./losses/one-vs-all.ts";
import { type SharedLinks, type SharedScoring, sharedLossSum } from "./losses/shared-loss.ts";
import type { NegativeSampler } from "./negatives/negative-sampler.ts";
import type { SharedNegatives } from "./negatives/shared.ts";
import { recommendedAt } from "./recommendation-figures.ts";
import type { LinkSplit } from "./split-links.ts";

/** What there is to learn of links, and how. */
export interface LinkLearning extends LinkObjective {
  /** Its `graph` is the graph of the training data. */
  readonly split: LearntSplit;
}

/** A split as far as training reads it; held-out links are known where they are ranked among all nodes */
export type LearntSplit = Omit<LinkSplit, "known"> & Partial<Pick<LinkSplit, "known">>;

/** What scores a pair of nodes, and what it is trained by */
export interface LinkObjective {
  /** Width of the rows that the encoder gives the decoder */
  readonly dim: number;
  readonly decoder: (shape: DecoderShape) => LinkDecoder;
  readonly loss: LinkLoss;
  /** The loss is of cosines, whatever the decoder scores by: rows learn their directions alone. Default: it is not */
  readonly learnsCosines?: boolean;
  readonly negatives: NegativeSampler;
  /** Nodes that all links of a step are told from by `loss`, in place of negatives (`noNegatives`). Default: none */
  readonly shared?: SharedNegatives | null;
  /**
   * Each link's target is told from all nodes of its type, in place of `loss` and negatives (`noNegatives`): every step
   * computes the rows of all nodes. Left out: it is not
   */
  readonly oneVsAll?: OneVsAllOptions;
  /**
   * All targets of a source and relation are told from all nodes at once, in place of `loss` and negatives: an epoch
   * visits every such query once, and `batchSize` counts queries. Left out: they are not
   */
  readonly kVsAll?: KvsAllOptions;
  /** What is added to the loss of each link. Default: nothing */
  readonly penalty?: LinkPenalty | null;
  /** Also counts `hits@k` among the negatives for each of these k. Default: none */
  readonly hitsAt?: readonly number[];
  /**
   * Also ranks held-out links among all nodes, which the split has to be `known` for (`filteredFigures`). Default: no
   */
  readonly ranksAllNodes?: boolean;
  /**
   * Also judges the 20 best of each node of a type (null: of any) by the links held out of it: `recommendationFigures`.
   * Left out: it does not
   */
  readonly recommends?: { readonly to: string | null };
}

/** By what links are judged, as a task's component says it of nodes. */
export function linkJudging({
  ranksAllNodes = false,
  recommends,
}: Pick<LinkObjective, "ranksAllNodes" | "recommends">): TaskMetrics {
  const filtered = { name: "filteredMrr", title: "Filtered MRR among all nodes", ...largest } as const;
  return {
    name: "links",
    metrics: [
      { name: "auc", title: "ROC-AUC", direction: "max", shownAs: "percent" },
      { name: "ap", title: "Average precision", direction: "max", shownAs: "percent" },
      { name: "mrr", title: "MRR among the negatives", ...largest },
      ...(ranksAllNodes ? [filtered] : []),
      ...(recommends ? listed : []),
    ],
    selectionMetric: "auc",
  };
}

const listed = (
  [
    [`recall@${recommendedAt}`, "Recall in the list of each node"],
    [`ndcg@${recommendedAt}`, "NDCG of the list of each node"],
  ] as const
).map(([name, title]) => ({ name, title, direction: "max", shownAs: "percent" }) as const);

const largest = { direction: "max", shownAs: "figure" } as const;

/** The loss of one step's links, each among all nodes: `oneVsAllSum`. */
export function oneVsAllLoss(
  product: DecoderProduct,
  batch: Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">,
  options: Parameters<typeof oneVsAllSum>[3],
): TaskLoss {
  const counts = { weightSum: batch.dstRows.length, hits: 0, trials: 0 };
  return {
    lossSum: (outputs) => oneVsAllSum(product, outputs, batch, options),
    count: () => counts,
    countOnDevice: () => counts,
  };
}

/** The loss of one step's queries, their targets among all nodes: `queriesVsAllSum`. */
export function kVsAllLoss(
  product: DecoderProduct,
  asked: AskedEnds,
  options: Parameters<typeof queriesVsAllSum>[3],
): TaskLoss {
  const counts = { weightSum: asked.srcRows.length, hits: 0, trials: 0 };
  return {
    lossSum: (outputs) => queriesVsAllSum(product, outputs, asked, options),
    count: () => counts,
    countOnDevice: () => counts,
  };
}

/** The loss of one step's links against nodes that they share: `sharedLossSum`. */
export function sharedLoss(
  scoring: SharedScoring,
  batch: Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations" | "otherRows">,
  links: SharedLinks,
): TaskLoss {
  const { otherRows = new Int32Array() } = batch;
  const counts = { weightSum: batch.srcRows.length, hits: 0, trials: 0 };
  return {
    lossSum: (outputs) => sharedLossSum(scoring, outputs, { ...batch, otherRows }, links),
    count: () => counts,
    countOnDevice: () => counts,
  };
}

/**
 * The loss of one step's pairs: rows of the encoder at both ends of each, scored, links against their negatives.
 *
 * @param numLinks the first pairs of the batch are links, `perLink` negatives of each stand behind them
 */
export function linkLoss(
  { decoder, loss, perLink }: { readonly decoder: LinkDecoder; readonly loss: LinkLoss; readonly perLink: number },
  { srcRows, dstRows, relations }: Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">,
  numLinks: number,
): TaskLoss {
  return {
    lossSum: (outputs) => {
      const scores = decoder.score(gatherRows(outputs, srcRows), gatherRows(outputs, dstRows), relations);
      const positives = slice(scores, [0, 0], [numLinks, 1]);
      const negatives = slice(scores, [numLinks, 0], [numLinks * perLink, 1]);
      return loss(positives, reshape<Rank.R2>(negatives, [numLinks, perLink]));
    },
    count: () => ({ weightSum: numLinks, hits: 0, trials: 0 }),
    countOnDevice: () => ({ weightSum: numLinks, hits: 0, trials: 0 }),
  };
}

/** Metrics of an epoch's sums */
export function linkTrainMetrics({ lossSum, weightSum }: BatchSums): Metrics {
  return { loss: ratio(lossSum, weightSum) };
}
