import { z } from "zod";
import { linkSplitOptions, mostNewNeighbors } from "../spec/link-split.ts";

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

const temperature = z
  .number()
  .positive()
  .max(100)
  .default(1)
  .describe("What scores are divided by: below 1 for the decoder cosine, whose scores are from -1 to 1");

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
      cosines: z
        .boolean()
        .default(false)
        .describe(
          "With the decoder dot: the loss is of cosines, and products rank. Directions are learnt, lengths follow from the model: of lightGcn nodes with many links have longer rows",
        ),
    }),
    z.strictObject({ type: z.literal("bpr").describe("Each link above each of its negatives"), adversarial }),
    z.strictObject({
      type: z
        .literal("oneVsAll")
        .describe(
          "Softmax of each link's target among all nodes of its type; none are drawn, and every step computes the rows of all nodes",
        ),
      labelSmoothing,
      temperature,
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
      temperature,
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
      .enum(["uniform", "bothEnds", "joint", "inBatch", "byDegree", "shared"])
      .default("uniform")
      .describe(
        "Where nodes have types, a negative has the type of the node that it replaces. uniform: another target, any node alike; bothEnds: another target or source in turn; joint: one set of targets for all links of a step; inBatch: targets of the next links; byDegree: targets in proportion to degree^0.75; shared: one set of nodes for all links of a step, scored by one product, so that hundreds or thousands cost little",
      ),
    perLink: z
      .number()
      .int()
      .min(1)
      .max(65_536)
      .default(1)
      .describe("Pairs without a link for each link of a step; above 1,000 with shared alone"),
  })
  .superRefine(({ type, perLink }, context) => {
    if (type === "shared" || perLink <= 1000) return;
    const message = `${perLink} are more than the 1,000 that ${type} draws for each link; choose shared, or fewer`;
    context.addIssue({ code: "custom", path: ["perLink"], message });
  })
  .prefault({});

const shape = {
  split: linkSplitOptions.shape.split.describe("Which links are learnt from, and which are held out to judge by"),
  relations: linkSplitOptions.shape.relations,
  disjoint: linkSplitOptions.shape.disjoint,
  evaluationNegatives: linkSplitOptions.shape.evaluationNegatives,
  keptNegatives: linkSplitOptions.shape.keptNegatives,
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
      "With rankAmong unseenNodes: the type of the nodes that are recommended to, such as users. Training asks for the links of these nodes alone: which items a user has, not which users an item has. null: sources, and either end of an undirected graph",
    ),
  newNeighbors: mostNewNeighbors
    .default(10)
    .describe(
      "Likeliest new neighbours of every node that the results list; 0: none, so that not all pairs are scored, which takes time with the square of the nodes",
    ),
};
/** What the task on links may be told: its split, decoder, loss and negatives, and by what it is judged. */
export const linkOptions = z
  .strictObject(shape)
  .superRefine(({ decoder, dim, rankAmong, recommendTo, relations }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (recommendTo !== null && rankAmong !== "unseenNodes")
      refuse("recommendTo", "it goes with rankAmong unseenNodes");
    if (rankAmong === "unseenNodes" && relations === "each") {
      refuse("rankAmong", "a node has one list, whatever the relation; choose relations alike, or allNodes");
    }
    if (!readsComplexRows(decoder.type) || dim % 2 === 0) return;
    refuse("dim", `${decoder.type} halves rows into real and imaginary parts; choose an even number`);
  });
export type LinkOptions = z.infer<typeof linkOptions>;

/** Whether a loss tells targets from all nodes, in place of negatives */
export function readsAll(type: LinkOptions["loss"]["type"]): boolean {
  return type === "oneVsAll" || type === "kVsAll";
}

function readsComplexRows(type: LinkOptions["decoder"]["type"]): boolean {
  return type === "complEx" || type === "rotatE";
}
