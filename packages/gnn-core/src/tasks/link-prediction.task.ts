import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import type { LearnableColumns } from "../io/dataset-labels.ts";
import type { LinkKit } from "../links/link-kit.ts";
import type { LinkObjective } from "../links/link-task.ts";
import type { LinkLoss } from "../links/losses/link-loss.ts";
import type { NegativeWeights } from "../links/losses/negative-weights.ts";
import type { NegativeSampler } from "../links/negatives/negative-sampler.ts";
import { linkSplitOptions } from "../spec/link-split.ts";

const margin = z.number().min(0).max(100);
const decoderMargin = margin.default(6).describe("Added to the score, so that a logistic loss can tell near from far");

const decoder = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("dot").default("dot").describe("⟨h_u, h_v⟩") }),
    z.strictObject({ type: z.literal("cosine").describe("⟨h_u, h_v⟩ / (‖h_u‖·‖h_v‖)") }),
    z.strictObject({
      type: z.literal("mlp").describe("A network of two layers over both rows"),
      input: z
        .enum(["hadamard", "concat"])
        .default("hadamard")
        .describe("hadamard: h_u ∘ h_v, without a direction; concat: both rows side by side"),
      hiddenFeats: z.number().int().min(1).max(4096).default(64).describe("Width of its hidden layer"),
    }),
    z.strictObject({ type: z.literal("distMult").describe("Σ h_u·r·h_v") }),
    z.strictObject({ type: z.literal("complEx").describe("Re Σ h_u·r·conj(h_v), rows read as complex numbers") }),
    z.strictObject({
      type: z.literal("transE").describe("margin − ‖h_u + r − h_v‖"),
      norm: z
        .union([z.literal(1), z.literal(2)])
        .default(2)
        .describe("1: sum of absolute differences; 2: length"),
      margin: decoderMargin,
    }),
    z.strictObject({
      type: z.literal("rotatE").describe("margin − Σ |h_u·e^{iθ} − h_v|, rows read as complex numbers"),
      margin: decoderMargin,
    }),
  ])
  .prefault({ type: "dot" });

const adversarial = z
  .number()
  .positive()
  .max(100)
  .nullable()
  .default(null)
  .describe("Temperature by which negatives with high scores weigh more; null: all weigh the same");

const labelSmoothing = z
  .number()
  .min(0)
  .lt(1)
  .default(0)
  .describe("Share of each target that is spread over all nodes of its type");

const loss = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z
        .literal("binaryCrossEntropy")
        .default("binaryCrossEntropy")
        .describe("Links against negatives, each alone"),
      adversarial,
    }),
    z.strictObject({ type: z.literal("softmax").describe("Each link among its negatives") }),
    z.strictObject({
      type: z.literal("infoNce").describe("Softmax of the scores divided by a temperature"),
      temperature: z.number().positive().max(100).default(0.1).describe("The lower, the more the nearest one counts"),
    }),
    z.strictObject({ type: z.literal("bpr").describe("Each link above each of its negatives"), adversarial }),
    z.strictObject({
      type: z
        .literal("oneVsAll")
        .describe(
          "Softmax of each link's target among all nodes of its type; none are drawn, and every step computes the rows of all nodes",
        ),
      labelSmoothing,
    }),
    z.strictObject({
      type: z
        .literal("kVsAll")
        .describe(
          "All targets of a source by a relation at once, told from all nodes of their type; an epoch visits each source and relation once, and batches are of these",
        ),
      each: z
        .enum(["binaryCrossEntropy", "softmax"])
        .default("binaryCrossEntropy")
        .describe("binaryCrossEntropy: of each node whether it is a target; softmax: which nodes are, sharing one"),
      labelSmoothing,
    }),
    z.strictObject({
      type: z.literal("margin").describe("Each link above each of its negatives by a margin"),
      margin: margin.default(1).describe("By how much"),
      adversarial,
    }),
  ])
  .prefault({ type: "binaryCrossEntropy" });

const penalty = z
  .strictObject({
    type: z
      .enum(["l2", "n3"])
      .default("n3")
      .describe("n3: cubes of the rows of both ends and of the relation, for distMult and complEx; l2: their squares"),
    weight: z.number().positive().max(1000).default(0.01).describe("What the sum is multiplied with"),
  })
  .nullable()
  .default(null);

const negatives = z
  .strictObject({
    type: z
      .enum(["uniform", "bothEnds", "joint", "inBatch", "byDegree"])
      .default("uniform")
      .describe(
        "Where nodes have types, a negative has the type of the node that it replaces. uniform: another target, any node alike; bothEnds: another target or source in turn; joint: one set of targets for all links of a step; inBatch: targets of the next links; byDegree: targets in proportion to degree^0.75",
      ),
    perLink: z.number().int().min(1).max(1000).default(1).describe("Pairs without a link for each link of a step"),
  })
  .prefault({});

const shape = {
  split: linkSplitOptions.shape.split.describe("Which links are learnt from, and which are held out to judge by"),
  relations: linkSplitOptions.shape.relations,
  disjoint: linkSplitOptions.shape.disjoint,
  evaluationNegatives: linkSplitOptions.shape.evaluationNegatives,
  splitSeed: linkSplitOptions.shape.splitSeed,
  negatives: negatives.describe("Pairs that links are told apart from in training, drawn anew in every epoch"),
  decoder: decoder.describe("How the rows of two nodes become the score of the pair"),
  loss: loss.describe("What training lowers"),
  penalty: penalty.describe(
    "What is added to the loss of each link, against learning links by heart (of kVsAll: of each source and relation); null: nothing",
  ),
  dim: z.number().int().min(1).max(4096).default(64).describe("Width of the rows that the decoder reads"),
  rankAmong: z
    .enum(["negatives", "allNodes", "unseenNodes"])
    .default("negatives")
    .describe(
      "What held-out links are ranked among. allNodes: beside the kept pairs also every node in place of either end, known links left out (filtered ranks); unseenNodes: also the nodes that training does not link with one, of which the best 20 are recommended to it (recall@20, NDCG@20). Both take time with the square of the nodes",
    ),
  recommendTo: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe(
      "With rankAmong unseenNodes: the type of the nodes that are recommended to, such as users; null: sources, and either end of an undirected graph",
    ),
  newNeighbors: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe("Likeliest new neighbours of every node that the results list"),
};
const options = z.strictObject(shape).superRefine(({ decoder, dim, rankAmong, recommendTo, relations }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (recommendTo !== null && rankAmong !== "unseenNodes") refuse("recommendTo", "it goes with rankAmong unseenNodes");
  if (rankAmong === "unseenNodes" && relations === "each") {
    refuse("rankAmong", "a node has one list, whatever the relation; choose relations alike, or allNodes");
  }
  if (!readsComplexRows(decoder.type) || dim % 2 === 0) return;
  refuse("dim", `${decoder.type} halves rows into real and imaginary parts; choose an even number`);
});
type Options = z.infer<typeof options>;

const hitsAt = [10, 50, 100] as const;
const filteredHitsAt = [1, 3, 10] as const;
const ranked = { rankAmong: "allNodes" } as const;
const listed = { rankAmong: "unseenNodes" } as const;
const percent = { direction: "max", shownAs: "percent" } as const;

/** Which nodes are linked: a score for every pair, learnt from the edges alone. */
export const linkPrediction = defineTask({
  name: "linkPrediction",
  version: 1,
  title: "Links between nodes",
  summary: "Learns from the edges which nodes are linked, and lists the likeliest new neighbours of every node.",
  options,
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
  choices: (dataset) => [{ label: "Links between nodes", options: offeredOptions(dataset) }],
  check: (given, dataset) =>
    checkRelations(given, dataset) ??
    checkDecoder(given, dataset) ??
    checkSplit(given, dataset) ??
    checkAllNodes(given),
  checkGraph: (_options, { numEdges = 1 }) =>
    numEdges > 0
      ? null
      : { option: "type", message: "There is nothing to learn: the graph has no edges. Build it again with some." },
  outDim: ({ dim }) => dim,
  split: ({ split, relations, disjoint, evaluationNegatives, splitSeed }) => ({
    split,
    relations,
    disjoint,
    evaluationNegatives,
    splitSeed,
  }),
  pairsPerLink: ({ negatives: { perLink }, loss: { type } }) => (readsAll(type) ? 1 : 1 + perLink),
  seedsAll: ({ loss: { type } }) => readsAll(type),
  tellsRelations: ({ relations }) => relations === "each",
  ranksAllNodes: ({ rankAmong }) => rankAmong !== "negatives",
  numNewNeighbors: ({ newNeighbors }) => newNeighbors,
  create: (given, { seen, groups, seed }, kit) => ({
    dim: given.dim,
    decoder: decoderOf(given, kit),
    loss: lossOf(given, kit),
    ...(readsAll(given.loss.type)
      ? { negatives: kit.negatives.noNegatives(), ...allOf(given) }
      : { negatives: negativesOf(given, kit)({ perLink: given.negatives.perLink, seed, seen, groups }) }),
    penalty: given.penalty,
    hitsAt,
    ranksAllNodes: given.rankAmong === "allNodes",
    ...(given.rankAmong === "unseenNodes" && { recommends: { to: given.recommendTo } }),
  }),
});

/** Whether a loss tells targets from all nodes, in place of negatives */
function readsAll(type: Options["loss"]["type"]): boolean {
  return type === "oneVsAll" || type === "kVsAll";
}

function allOf({ loss }: Options): Pick<LinkObjective, "oneVsAll" | "kVsAll"> {
  if (loss.type === "oneVsAll") return { oneVsAll: { labelSmoothing: loss.labelSmoothing } };
  if (loss.type === "kVsAll") return { kVsAll: { each: loss.each, labelSmoothing: loss.labelSmoothing } };
  return {};
}

function readsComplexRows(type: Options["decoder"]["type"]): boolean {
  return type === "complEx" || type === "rotatE";
}

/** What a dataset says of its own links is taken, and where it has times the newest are held out. */
function offeredOptions({ edges }: LearnableColumns): z.input<typeof options> {
  const { split = null, splitFiles = null, time = null } = edges ?? {};
  if (split !== null || splitFiles !== null) return { split: { type: "given" } };
  return time === null ? {} : { split: { type: "time" } };
}

function checkRelations({ relations, decoder }: Options, { edges }: LearnableColumns) {
  if (relations === "alike") return null;
  if (["dot", "cosine", "mlp"].includes(decoder.type)) {
    const message = `The decoder ${decoder.type} has no weights of a relation, so it scores a pair the same in each: choose distMult, complEx, transE or rotatE, or the relations alike.`;
    return { option: "decoder", message };
  }
  if (edges === null || edges.type !== null) return null;
  return {
    option: "relations",
    message: "The dataset does not say which relation its edges are of: map a column with it, or choose alike.",
  };
}

function checkDecoder({ decoder: { type, ...rest }, relations }: Options, { directed }: LearnableColumns) {
  if (relations === "each") return null;
  const isSymmetric = ["dot", "cosine", "distMult"].includes(type) || ("input" in rest && rest.input === "hadamard");
  if (directed || isSymmetric) return null;
  const message = `The decoder ${type} scores u → v and v → u apart, and the graph is undirected: choose dot, cosine, distMult or mlp with hadamard, or build the graph as a directed one.`;
  return { option: "decoder", message };
}

function checkAllNodes({ loss, decoder: { type }, split, disjoint }: Options) {
  if (!readsAll(loss.type)) return null;
  if (!["dot", "cosine", "distMult", "complEx"].includes(type)) {
    const message = `With the loss ${loss.type} scores of all nodes are one product, which those of ${type} are not: choose dot, cosine, distMult or complEx.`;
    return { option: "decoder", message };
  }
  if (loss.type === "kVsAll" && disjoint !== null) {
    const message =
      "The loss kVsAll learns all targets of a source at once, whether their links carry messages or not: choose oneVsAll, or no disjoint links.";
    return { option: "disjoint", message };
  }
  if (split.type !== "time") return null;
  return { option: "loss", message: "Rows of all nodes have no time, as a split by time asks: choose another loss." };
}

function checkSplit({ split }: Options, { edges }: LearnableColumns) {
  if (split.type === "given" && (edges?.split ?? null) === null && (edges?.splitFiles ?? null) === null) {
    const message =
      "The dataset does not say which side its edges are on: map a split column of the edges or a file for each side, or choose another split.";
    return { option: "split", message };
  }
  if (split.type === "time" && (edges?.time ?? null) === null) {
    return {
      option: "split",
      message: "The dataset has no time column of its edges: map one, or choose another split.",
    };
  }
  return null;
}

function decoderOf({ decoder: chosen }: Options, { decoders }: LinkKit): LinkObjective["decoder"] {
  switch (chosen.type) {
    case "mlp":
      return (given) => decoders.mlp({ ...given, input: chosen.input, hiddenFeats: chosen.hiddenFeats });
    case "transE":
      return (given) => decoders.transE({ ...given, norm: chosen.norm, margin: chosen.margin });
    case "rotatE":
      return (given) => decoders.rotatE({ ...given, margin: chosen.margin });
    default:
      return decoders[chosen.type];
  }
}

function lossOf({ loss: chosen }: Options, { losses, weights }: LinkKit): LinkLoss {
  const weighing = (temperature: number | null): NegativeWeights =>
    temperature === null ? weights.evenWeights : weights.selfAdversarialWeights(temperature);
  switch (chosen.type) {
    case "softmax":
      return losses.softmaxLoss();
    case "infoNce":
      return losses.infoNce(chosen.temperature);
    case "bpr":
      return losses.bpr(weighing(chosen.adversarial));
    case "margin":
      return losses.marginLoss(chosen.margin, weighing(chosen.adversarial));
    case "oneVsAll":
    case "kVsAll":
      // Links are told from all nodes, and this is never asked.
      return losses.softmaxLoss();
    default:
      return losses.binaryCrossEntropy(weighing(chosen.adversarial));
  }
}

function negativesOf({ negatives: { type } }: Options, { negatives: kinds }: LinkKit) {
  const byName = {
    uniform: kinds.uniformTail,
    bothEnds: kinds.bothEnds,
    joint: kinds.jointTails,
    inBatch: kinds.inBatchTails,
    byDegree: kinds.tailsByDegree,
  } satisfies Record<Options["negatives"]["type"], (...given: never[]) => NegativeSampler>;
  return byName[type];
}
