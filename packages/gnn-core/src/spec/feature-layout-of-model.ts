import { z } from "zod";

const column = z.number().int().nonnegative();

/** Most runs of columns: those of kinds, of which a column has 1,000 at most. */
const mostRuns = 100_000;

/** Where a model reads the feature columns of a graph other than the one that it was trained on. */
export const featureLayoutOfModel = z.strictObject({
  dim: column.describe("Feature columns that the model reads"),
  runs: z
    .array(
      z.strictObject({
        from: column.describe("First column of the graph"),
        to: column.describe("First column of the model"),
        count: z.number().int().min(1),
      }),
    )
    .max(mostRuns)
    .describe(
      "Columns that follow each other in both; the model does not read others of the graph, and others of its own are 0",
    ),
  types: z
    .array(z.strictObject({ name: z.string(), first: column, dim: column }))
    .nullable()
    .describe("Columns of each type of node, where types have columns of their own"),
  unknown: z.array(z.string()).optional().describe("Said by jobs of before decision 0180; nothing reads it"),
});
export type FeatureLayoutOfModel = z.infer<typeof featureLayoutOfModel>;
