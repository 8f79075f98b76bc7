import { z } from "zod";
import { featureValueKinds } from "../../io/ingest/feature-values.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";

const count = z.number().int().nonnegative();

/** What a preset is chosen by: figures of a graph that are counted when it is ingested. */
export const graphFigures = z.object({
  numNodes: count,
  numEdges: count.describe("Stored (directed) edges"),
  features: z.object({
    dim: count.describe("0: the nodes have none"),
    values: z.enum(featureValueKinds).nullable().describe("null: not known, or no features"),
  }),
  numClasses: count.describe("Classes, or labels where a node has several; 0: numbers are predicted"),
  numTrain: count.describe("Nodes to train on; without a split those that a random one would give"),
  numGraphs: count.optional().describe("Graphs of a set; left out: it is one graph"),
  types: z
    .object({ nodes: count, relations: count })
    .optional()
    .describe("Types of nodes and of edges; left out: all are alike"),
  homophily: z
    .object({
      share: z.number().min(0).max(1).describe("Edges between labelled nodes that join two of one class"),
      expected: z.number().min(0).max(1).describe("What that share would be by chance"),
    })
    .nullable()
    .describe("null: not known"),
});
export type GraphFigures = z.infer<typeof graphFigures>;

/** Share of the labelled nodes that a random split trains on, by the default of a job's `split`. */
const randomTrainShare = 0.6;

/** Fewer edges between labelled nodes say little of all edges. */
const fewestEdges = 100;

/** The figures of an ingested graph; graphs of earlier versions lack some, which are null then. */
export function figuresOf(info: GraphInfo): GraphFigures {
  const { numNodes, numEdges, features, classes, homophily, nodeTypes, edgeTypes } = info;
  const isTyped = nodeTypes.length > 1 || edgeTypes.length > 1;
  return {
    numNodes,
    numEdges,
    features: { dim: features.kind === "none" ? 0 : features.dim, values: features.values ?? null },
    numClasses: classes.length,
    numTrain: info.splits.train > 0 ? info.splits.train : Math.floor(randomTrainShare * numLabelled(info)),
    ...(info.graphs && { numGraphs: info.graphs.numGraphs }),
    ...(isTyped && { types: { nodes: nodeTypes.length, relations: edgeTypes.length } }),
    homophily:
      homophily && homophily.edges >= fewestEdges
        ? { share: homophily.same / homophily.edges, expected: homophily.expected }
        : null,
  };
}

function numLabelled({ numNodes, multiLabel, labelCounts, targets }: GraphInfo): number {
  const labels = labelCounts.reduce((sum, { count: nodes }) => sum + nodes, 0);
  // A node of several labels is counted with each of them.
  if (labels > 0) return multiLabel ? Math.min(numNodes, labels) : labels;
  return Math.max(0, ...targets.map(({ count: nodes }) => nodes));
}

/** Whether nothing is known of any node that could be predicted. */
export function isWithoutLabels({ numTrain, numClasses }: GraphFigures): boolean {
  return numTrain === 0 && numClasses === 0;
}

/** Training nodes a class; of numbers, training nodes in all. */
export function labelsPerClass({ numTrain, numClasses }: GraphFigures): number {
  return numTrain / Math.max(1, numClasses);
}

/**
 * How much more often edges join nodes of one class than by chance: 1 always, 0 as chance has it, below 0 less often.
 * The adjusted homophily of Platonov et al. 2022 (arXiv:2209.06177). null: not known
 */
export function adjustedHomophily({ homophily }: GraphFigures): number | null {
  if (!homophily || homophily.expected >= 1) return null;
  return (homophily.share - homophily.expected) / (1 - homophily.expected);
}
