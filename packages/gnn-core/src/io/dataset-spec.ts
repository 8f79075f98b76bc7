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

const labelFile = z.strictObject({
  files,
  reader: reader.optional(),
  node: z.string().describe("Column of the node id"),
  label: z.string().describe("Column of the label"),
});

const nodes = z.strictObject({
  files,
  reader: reader.optional(),
  id: z.string().describe("Column of the node id"),
  type: z.string().nullable().default(null).describe("Column of the node type, which parts can be balanced by"),
  label: z.string().nullable().default(null).describe("Column of the class; null or empty = unlabelled"),
  labelSeparator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Cuts a cell of the label column into the several labels of the node"),
  labelColumns: z
    .array(z.string())
    .default([])
    .describe("Columns of 0 and 1, one for each label a node may have; all empty = unlabelled"),
  labelFile: labelFile
    .nullable()
    .default(null)
    .describe("A table of node and label, one row for each label of a node; nodes without a row are unlabelled"),
  targets: z.array(z.string()).default([]).describe("Numeric columns to predict; empty = not known"),
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

/** A node's labels come from one place. */
const nodesWithOneLabelling = nodes
  .refine(
    ({ label, labelColumns, labelFile: file }) =>
      [label !== null, labelColumns.length > 0, file !== null].filter(Boolean).length <= 1,
    { message: "Labels come from one of label, labelColumns and labelFile; set only one of them", path: ["label"] },
  )
  .refine(({ label, labelSeparator }) => labelSeparator === null || label !== null, {
    message: "labelSeparator cuts the cells of the label column; name it in label",
    path: ["labelSeparator"],
  });

/** How the uploaded files become a graph; confirmed by the user after the preview. */
export const datasetSpec = z.strictObject({
  version: z.literal(1).default(1),
  edges,
  nodes: nodesWithOneLabelling.nullable().default(null).describe("Left out: the nodes are the ids of the edges"),
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
