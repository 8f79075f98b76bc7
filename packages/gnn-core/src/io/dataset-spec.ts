import { z } from "zod";

const reader = z.object({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) });
const files = z.array(z.string().min(1)).min(1);

const edges = z.strictObject({
  files,
  reader: reader.optional().describe("Left out: chosen by the file name's ending"),
  src: z.string().describe("Column of the source id"),
  dst: z.string().describe("Column of the destination id"),
  weight: z.string().nullable().default(null).describe("Column of the edge weight"),
  type: z.string().nullable().default(null).describe("Column of the edge type"),
  features: z.array(z.string()).default([]).describe("Numeric columns kept as edge features"),
});

const nodes = z.strictObject({
  files,
  reader: reader.optional(),
  id: z.string().describe("Column of the node id"),
  label: z.string().nullable().default(null).describe("Column of the class; null or empty = unlabelled"),
  split: z.string().nullable().default(null).describe("Column holding train, val, test or none"),
  features: z
    .union([
      z.strictObject({ columns: z.array(z.string()).min(1) }),
      z.strictObject({
        file: z.string().describe("Matrix (.npz CSR or .npy) with one row per node row, in file order"),
      }),
    ])
    .nullable()
    .default(null),
});

/** How the uploaded files become a graph; confirmed by the user after the preview. */
export const datasetSpec = z.strictObject({
  version: z.literal(1).default(1),
  edges,
  nodes: nodes.nullable().default(null).describe("Left out: the nodes are the ids of the edges"),
  directed: z.boolean().default(false).describe("false: each row is read in both directions"),
  duplicates: z.enum(["drop", "keep", "error"]).default("drop"),
  selfLoops: z.enum(["keep", "drop"]).default("drop"),
  missingNodes: z
    .enum(["error", "add", "drop"])
    .default("error")
    .describe("An edge names an id that is not among the nodes"),
});
export type DatasetSpec = z.infer<typeof datasetSpec>;
export type DatasetSpecInput = z.input<typeof datasetSpec>;
