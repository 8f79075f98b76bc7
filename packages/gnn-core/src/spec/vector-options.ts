import { z } from "zod";

/** Where rows of nodes begin: a table of vectors by the users' ids, among the files of the dataset. */
export const vectorOptions = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      "Name of an uploaded file of the dataset that holds a vector for some or all nodes; it need not be mapped",
    ),
  id: z.string().min(1).max(200).default("id").describe("Column of the nodes' ids, as the dataset has them"),
  columns: z
    .array(z.string().min(1).max(200))
    .max(4096)
    .default([])
    .describe(
      "One column of lists of numbers, or a column for each number, in their order; empty: the only column of lists, else all but the id",
    ),
  frozen: z.boolean().default(false).describe("Vectors stay as they are in the file; nodes without one learn theirs"),
});
export type VectorOptions = z.infer<typeof vectorOptions>;

/**
 * Whether a file is among those that were uploaded: one in an archive, or a sheet of a workbook, has the name of what
 * was uploaded before its own.
 */
export function isAmongUploaded(file: string, uploaded: readonly { readonly name: string }[]): boolean {
  return uploaded.some(({ name }) => file === name || file.startsWith(`${name}/`));
}

/** Options of the `readVectors` step: whether the rows are frozen is the training's business. */
export const readVectorsOptions = vectorOptions
  .omit({ frozen: true })
  .extend({ dim: z.number().int().min(1).max(4096).describe("Numbers in each vector") });
export type ReadVectorsOptions = z.infer<typeof readVectorsOptions>;

const count = z.number().int().nonnegative();

/** `info` of an artifact of kind `vectors`. */
export const vectorsInfo = z.object({
  numNodes: count,
  dim: count,
  /** Nodes that have a vector in the file */
  numKnown: count,
  /** Nodes that have none, and begin as rows without a file do */
  numMissing: count,
  /** Rows of the file whose id is that of no node */
  numUnknownIds: count,
  /** Some of these ids */
  unknownIds: z.array(z.string()).max(5),
});
export type VectorsInfo = z.infer<typeof vectorsInfo>;
