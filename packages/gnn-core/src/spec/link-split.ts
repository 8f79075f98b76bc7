import { z } from "zod";
import { typesOfModel } from "./types-of-model.ts";

/** How many likeliest new neighbours of every node a job lists. */
export const mostNewNeighbors = z.number().int().min(0).max(100);

const val = z.number().min(0).lt(1).default(0.05).describe("Share of the links that choose the best epoch");
const test = z.number().min(0).lt(1).default(0.1).describe("Share of the links that judge the model at the end");

const splitChoices = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("random").default("random"),
    val,
    test,
    seed: z.number().int().min(0).default(0).describe("The same seed draws the same split"),
  }),
  z.strictObject({
    type: z.literal("given").describe("As the dataset says: by a column of its edges, or a file for each side"),
    val: z
      .number()
      .gt(0)
      .lt(1)
      .optional()
      .describe("Share of the training links that is held out to choose by, where the dataset names none"),
  }),
  z.strictObject({
    type: z.literal("time").describe("By the time column of the edges: the newest links are held out"),
    val,
    test,
  }),
]);

/** How links are told apart into those to learn from, to choose by and to judge by; a section of a task's options. */
export const linkSplitChoice = splitChoices
  .superRefine((split, context) => {
    if (split.type === "given") return;
    const sum = Number((split.val + split.test).toPrecision(12));
    if (sum < 1) return;
    const message = `val and test come to ${sum} of the links and leave none to learn from; lower them to less than 1 together`;
    context.addIssue({ code: "custom", path: ["test"], message });
  })
  .prefault({ type: "random" });
export type LinkSplitChoice = z.infer<typeof linkSplitChoice>;

/** How links are told apart, with the pairs that those held out are judged against. */
export const linkSplitOptions = z.strictObject({
  split: linkSplitChoice,
  relations: z
    .enum(["alike", "each"])
    .default("alike")
    .describe(
      "alike: a link is a pair of nodes, whatever relation joins them; each: which relation joins them is learnt, too",
    ),
  disjoint: z
    .number()
    .gt(0)
    .lt(1)
    .nullable()
    .default(null)
    .describe("Share of the training links that is learnt from and carries no message; null: each does both in turn"),
  evaluationNegatives: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe("Pairs without a link, drawn once for each held-out link and kept with the split"),
  keptNegatives: z
    .enum(["drawn", "given"])
    .default("drawn")
    .describe(
      "Pairs that held-out links are judged against. drawn: as many as evaluationNegatives says; given: those of the dataset's files, `edges.negatives`",
    ),
  splitSeed: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe("Draws the kept pairs without a link, and what `disjoint` sets apart"),
});
/** Options of the step, and how the graph's types are counted where a model is applied. */
export const splitLinksStepOptions = linkSplitOptions.extend({
  types: typesOfModel.optional().describe("Left out: types are counted as the graph counts them"),
});
export type SplitLinksStepOptions = z.infer<typeof splitLinksStepOptions>;
export type LinkSplitSection = z.infer<typeof linkSplitOptions>;
