import { z } from "zod";
import { vectorOptions } from "./vector-options.ts";

const lr = z.number().positive().describe("Learning rate of the rows");

/** A learnable row for every node, for graphs without features or beside dense ones. */
export const embeddingOptions = z.strictObject({
  dim: z.number().int().min(1).max(4096).default(64).describe("Columns of each node's row"),
  optimizer: z
    .discriminatedUnion(
      "type",
      [
        z.strictObject({
          type: z.literal("sparseAdam").default("sparseAdam"),
          options: z.strictObject({ lr: lr.default(0.01) }).prefault({}),
        }),
        z.strictObject({
          type: z.literal("sparseAdagrad"),
          options: z.strictObject({ lr: lr.default(0.05) }).prefault({}),
        }),
      ],
      { unionFallback: true },
    )
    .prefault({})
    .describe("How the rows that a step touched follow from their gradients; all others stay as they are"),
  vectors: vectorOptions
    .optional()
    .describe(
      "Rows begin as the vectors of an uploaded file, by the nodes' ids, such as those of texts or of an earlier job; nodes without one begin as usual and are counted",
    ),
});
export type EmbeddingOptions = z.infer<typeof embeddingOptions>;
