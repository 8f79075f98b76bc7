import { z } from "zod";
import { modelInfo } from "./model-info.ts";

/** What the step `adopt` is told of a model whose weights somebody has uploaded. */
export const adoptOptions = z.strictObject({
  info: modelInfo.describe("What the card says of the model; names and shapes of its weights are those of the files"),
  typeDims: z
    .array(z.number().int().nonnegative())
    .nullable()
    .default(null)
    .describe("Columns of each type of node, where types have columns of their own; null: all have the same"),
});
export type AdoptOptions = z.infer<typeof adoptOptions>;

/** Beside its weights and transforms, the uploaded files of a model have this description of it. */
export const modelCardFile = "card.json";
