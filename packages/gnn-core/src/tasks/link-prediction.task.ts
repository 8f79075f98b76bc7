import { defineTask } from "../components/define-task.ts";
import { areFacts, type LearnableColumns } from "../io/dataset-labels.ts";
import { offeredSplit } from "./edge-split.ts";
import { linksObjection } from "./link-objections.ts";
import { hitsAt, linkObjective } from "./link-objective.ts";
import { linkOptions, readsAll } from "./link-options.ts";

const filteredHitsAt = [1, 3, 10] as const;
const ranked = { rankAmong: "allNodes" } as const;
const listed = { rankAmong: "unseenNodes" } as const;
const percent = { direction: "max", shownAs: "percent" } as const;

/** Links that a dataset holds out are ranked among all nodes, as those of published knowledge graphs are. */
function factsOf({ links }: LearnableColumns) {
  const split = offeredSplit(links);
  const isHeldOut = split.split?.type === "given";
  return { ...split, relations: "each", decoder: { type: "complEx" }, ...(isHeldOut && ranked) };
}

/** Which nodes are linked: a score for every pair, learnt from the edges alone. */
export const linkPrediction = defineTask({
  name: "linkPrediction",
  version: 1,
  title: "Links between nodes",
  summary: "Learns from the edges which nodes are linked, and lists the likeliest new neighbours of every node.",
  options: linkOptions,
  seeds: "edges",
  metrics: [
    { name: "auc", title: "ROC-AUC", ...percent },
    { name: "ap", title: "Average precision", ...percent },
    { name: "mrr", title: "MRR among the negatives", direction: "max", shownAs: "figure" },
    ...hitsAt.map((k) => ({ name: `hits@${k}`, title: `Hits@${k} among the negatives`, ...percent })),
    { name: "filteredMrr", title: "Filtered MRR among all nodes", direction: "max", shownAs: "figure", needs: ranked },
    ...filteredHitsAt.map((k) => ({
      name: `filteredHits@${k}`,
      title: `Filtered Hits@${k} among all nodes`,
      needs: ranked,
      ...percent,
    })),
    { name: "recall@20", title: "Recall@20 among unseen nodes", needs: listed, ...percent },
    { name: "ndcg@20", title: "NDCG@20 among unseen nodes", needs: listed, ...percent },
    { name: "loss", title: "Loss", direction: "min", shownAs: "figure" },
  ],
  chiefMetric: "auc",
  selectionMetric: "auc",
  choices: (columns) => [
    ...(areFacts(columns) ? [{ label: "Missing facts: links of each relation", options: factsOf(columns) }] : []),
    { label: "Links between nodes", options: offeredSplit(columns.links) },
  ],
  check: linksObjection,
  checkGraph: (_options, { numEdges = 1 }) =>
    numEdges > 0
      ? null
      : { option: "type", message: "There is nothing to learn: the graph has no edges. Build it again with some." },
  outDim: ({ dim }) => dim,
  split: ({ split, relations, disjoint, evaluationNegatives, keptNegatives, splitSeed }) => ({
    split,
    relations,
    disjoint,
    evaluationNegatives,
    keptNegatives,
    splitSeed,
  }),
  pairsPerLink: ({ negatives: { type, perLink }, loss }) =>
    readsAll(loss.type) || type === "shared" ? 1 : 1 + perLink,
  sharedPerLink: ({ negatives: { type, perLink }, loss }) => (readsAll(loss.type) || type !== "shared" ? 0 : perLink),
  seedsAll: ({ loss: { type } }) => readsAll(type),
  tellsRelations: ({ relations }) => relations === "each",
  ranksAllNodes: ({ rankAmong }) => rankAmong !== "negatives",
  numNewNeighbors: ({ newNeighbors }) => newNeighbors,
  create: linkObjective,
});
