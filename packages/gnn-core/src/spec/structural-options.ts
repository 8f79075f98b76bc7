import { z } from "zod";

/** Features made from the edges alone: for graphs without features of their own, or beside them. */
export const structuralOptions = z.strictObject({
  method: z
    .enum(["projection", "spectral"])
    .default("projection")
    .describe(
      "projection: random projections of each hop; spectral: where slow random walks go, better for communities",
    ),
  dim: z.number().int().min(1).max(1024).default(64).describe("Columns of each hop; of spectral: columns in all"),
  hops: z
    .number()
    .int()
    .min(1)
    .max(32)
    .default(3)
    .describe("Neighbourhoods that are looked at; of spectral: rounds, 10 are usual"),
});
export type StructuralOptions = z.infer<typeof structuralOptions>;

/** Columns that they add: the degree, then those of each hop, or those of the last round. */
export function structuralDim(options: StructuralOptions | null): number {
  if (!options) return 0;
  return 1 + (options.method === "spectral" ? options.dim : options.dim * options.hops);
}
