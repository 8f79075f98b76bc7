import { z } from "zod";

/** Features made from the edges alone: for graphs without features of their own, or beside them. */
export const structuralOptions = z.strictObject({
  method: z
    .enum(["projection", "spectral", "degree", "identity"])
    .default("projection")
    .describe(
      "projection: random projections of each hop; spectral: where slow random walks go, better for communities; degree: how many edges a node has, which means the same in every graph of a set; identity: a column for each node, alone, as R-GCN has them in its paper",
    ),
  dim: z
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(64)
    .describe("Columns of each hop; of spectral and degree: columns in all; identity has one for each node"),
  hops: z
    .number()
    .int()
    .min(1)
    .max(32)
    .default(3)
    .describe("Neighbourhoods that are looked at; of spectral: rounds, 10 are usual"),
});
export type StructuralOptions = z.infer<typeof structuralOptions>;

/** Columns that they add: the degree, then those of each hop, or those of the last round; or one for each node. */
export function structuralDim(options: StructuralOptions | null, numNodes: number): number {
  if (!options) return 0;
  if (options.method === "identity") return numNodes;
  return 1 + (options.method === "projection" ? options.dim * options.hops : options.dim);
}
