import { z } from "zod";

const count = z.number().int().nonnegative();

/** Whose rows lie in a file of learned rows: how the ids beside it are stored, row by row. */
export const rowNames = z.object({
  count,
  /** Ids as the files of the dataset have them, without the type before them */
  idType: z.enum(["int64", "string"]),
  /** What `type.npy` counts: an id names a node of its type; empty: nodes have no types, and there is no such file */
  nodeTypes: z.array(z.string()).default([]),
});
export type RowNames = z.infer<typeof rowNames>;

/** Whose the learned rows of a model are. */
export const learnedRows = z.object({
  /** Those of `features.embedding`, a row for each node; null: there are none */
  nodes: rowNames.nullable(),
  /** Those of nodes of types without features; null: there are none */
  types: rowNames.nullable(),
});
export type LearnedRowsInfo = z.infer<typeof learnedRows>;

/** What a node without a learned row is computed from: rows of zeros stand in place of its own. */
export const withoutRow = z.enum(["nothing", "neighbors", "features"]);

/** `info` of an artifact of kind `matchedRows`: which nodes of a graph a model has learned rows of. */
export const matchedRowsInfo = z.object({
  /** Nodes that would have a learned row, had the model been trained on this graph */
  numNodes: count,
  /** How many of these the model has a row of */
  numKnown: count,
  numUnseen: count,
  /** The first of the others, as results have them; all of them are in `unseen.csv` */
  unseenIds: z.array(z.string()).max(5),
  /** Learned rows of nodes that the graph does not have */
  numUnused: count,
  withoutRow,
});
export type MatchedRowsInfo = z.infer<typeof matchedRowsInfo>;

/** Which learned rows of a model: of all nodes, or of those of types without features. */
export type RowsOf = keyof LearnedRowsInfo;
