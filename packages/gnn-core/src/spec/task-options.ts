import { z } from "zod";

/** The `task` section of a job spec: what is learnt, from which columns, by which loss. */

const inductive = z
  .boolean()
  .default(false)
  .describe("Train on the edges between training nodes alone; evaluate and infer on the whole graph");

const classification = z.strictObject({
  type: z.literal("nodeClassification").default("nodeClassification"),
  target: z.string().describe("The label column: one class per node"),
  loss: z.enum(["crossEntropy"]).default("crossEntropy").describe("Softmax cross-entropy of the one class"),
  classWeights: z
    .enum(["none", "balanced"])
    .default("none")
    .describe("balanced: every class weighs the same in the loss"),
  inductive,
});

const multiLabel = z.strictObject({
  type: z.literal("nodeMultiLabel"),
  target: z.string().describe("What the several labels of a node are mapped from"),
  loss: z.enum(["sigmoidCrossEntropy"]).default("sigmoidCrossEntropy").describe("Each label on its own, yes or no"),
  classWeights: z
    .enum(["none", "balanced"])
    .default("none")
    .describe("balanced: the members of a label weigh as much as all other nodes"),
  threshold: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.5)
    .describe("A label is predicted from this probability on; F1 and the exported predictions go by it"),
  inductive,
});

const regression = z.strictObject({
  type: z.literal("nodeRegression"),
  target: z.union([z.string(), z.array(z.string()).min(1)]).describe("The target column, or several"),
  loss: z.enum(["mse", "mae", "huber"]).default("mse").describe("Of the standardised targets, if they are"),
  huberDelta: z.number().positive().default(1).describe("Error at which huber goes from square to straight"),
  standardize: z
    .boolean()
    .default(true)
    .describe("Learn (target − mean) / deviation of the training nodes; metrics and predictions keep the units"),
  inductive,
});

export const taskOptions = z.discriminatedUnion("type", [classification, multiLabel, regression], {
  unionFallback: true, // a task without type is a classification
});
export type TaskOptions = z.infer<typeof taskOptions>;
export type TaskType = TaskOptions["type"];
export type ClassificationOptions = z.infer<typeof classification>;
export type MultiLabelOptions = z.infer<typeof multiLabel>;
export type RegressionOptions = z.infer<typeof regression>;

/** The target columns that a task names. */
export function targetsOf({ target }: TaskOptions): readonly string[] {
  return typeof target === "string" ? [target] : target;
}
