import { z } from "zod";

/** How much of a job's embeddings is drawn. */
export const mapOptions = z.strictObject({
  maxPoints: z.number().int().min(100).max(2_000_000).default(50_000).describe("Nodes drawn at most"),
  maxDetailed: z
    .number()
    .int()
    .min(0)
    .max(50_000)
    .default(5_000)
    .describe("How many of these at most are laid out by UMAP too, and have their nearest nodes found; 0: none"),
});
export type MapOptions = z.infer<typeof mapOptions>;
