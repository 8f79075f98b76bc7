import { z } from "zod";

/** Features made from the edges alone: for graphs without features of their own, or beside them. */
export const structuralOptions = z.strictObject({
  dim: z.number().int().min(1).max(1024).default(64).describe("Columns of each hop"),
  hops: z.number().int().min(1).max(8).default(3).describe("Neighbourhoods that are looked at"),
});
export type StructuralOptions = z.infer<typeof structuralOptions>;

/** Columns that they add: the degree, then those of each hop. */
export function structuralDim(options: StructuralOptions | null): number {
  return options ? 1 + options.dim * options.hops : 0;
}
