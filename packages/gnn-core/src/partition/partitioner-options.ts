import { z } from "zod";

/** Options that every partitioner has; `partitionGraph` reads them, `assign` gets the whole object. */
export const partitionerOptions = z.strictObject({
  numParts: z
    .union([z.number().int().min(1).max(4096), z.literal("auto")])
    .default("auto")
    .describe("Number of parts; auto: one per rank"),
  partsPerHost: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe(
      "Parts that share a host: the graph is cut into hosts first, then each host into its parts; 1: one level",
    ),
  haloHops: z.number().int().min(1).max(8).default(1).describe("Hops around a part that the report counts as its halo"),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0)
    .describe("The same seed gives the same parts"),
});

export const balanceKinds = ["nodes", "inEdges", "nodeTypes", "inEdgesByType", "train", "val", "test"] as const;
export type BalanceKind = (typeof balanceKinds)[number];

/** The option of partitioners that balance. */
export const balanceOption = z
  .array(z.enum(balanceKinds))
  .describe(
    "What every part gets an equal share of; nodeTypes: of the nodes of each type; inEdgesByType: of the in-edges of these",
  );

/** The common fields of any partitioner's parsed options, an operator's own included. */
export const commonPartitionerOptions = z.object({
  ...partitionerOptions.shape,
  balance: z.array(z.enum(balanceKinds)).default([]),
});
