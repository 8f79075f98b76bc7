import { z } from "zod";
import { taskOfOldArtifacts, taskSection } from "./task-section.ts";

const count = z.number().int().nonnegative();

/** `info` of a `remapped` artifact: rows of every node in NodeIndex order, and the metrics counted from them. */
export const remappedInfo = z.object({
  numNodes: count,
  /** Width of the embeddings */
  dim: count,
  /** Which rows the embeddings are: of the layer before the last, or the model's output, by which pairs are scored */
  layer: z.enum(["lastHidden", "output"]).default("lastHidden"),
  classes: z.array(z.string()),
  /** What logits are divided by for probabilities; null: nothing */
  temperature: z.number().positive().nullable().default(null),
  metrics: z.record(z.string(), z.number().nullable()),
  task: taskSection.default(taskOfOldArtifacts),
});
export type RemappedInfo = z.infer<typeof remappedInfo>;

const reachedType = z.object({ source: z.string(), target: z.string(), relations: z.array(z.string()) });
export type ReachedTypeInfo = z.infer<typeof reachedType>;

const relationFigures = z.object({
  /** Several where they join the same pairs of nodes, such as a relation and its reverse */
  relations: z.array(z.string()),
  /** Held-out links of the relations */
  numLinks: z.object({ val: count, test: count }),
  /** Counted over these links among the pairs that were drawn for them */
  metrics: z.record(z.string(), z.number().nullable()),
});

/** `info` of a `recommended` artifact: new neighbours of every node, and the scores of the held-out pairs. */
export const recommendedInfo = z.object({
  numNodes: count,
  /** New neighbours listed of each node, at most; of all types that its own reaches */
  perNode: count,
  /** New neighbours listed of each of these types, at most */
  perType: count.optional(),
  /**
   * Where nodes have several types: from which type relations lead to which, and how they are called. A node has a list
   * for each entry with its type as source, in their order. Where links are told apart by relation, each has an entry,
   * and a node's lists are of the types alone
   */
  reached: z.array(reachedType).default([]),
  /** Held-out links and the pairs without a link beside them */
  numPairs: count,
  /** Parts that the list for look-ups is cut into */
  numBuckets: count,
  /** Counted once more, from the scores written */
  metrics: z.record(z.string(), z.number().nullable()),
  /**
   * Figures of each relation where edges have types; those with the most held-out links first, 500 at most. Artifacts
   * of earlier versions have none
   */
  byRelation: z.array(relationFigures).default([]),
});
export type RecommendedInfo = z.infer<typeof recommendedInfo>;

/** `info` of an `edgePredictions` artifact: what is predicted of every labelled edge. */
export const edgePredictionsInfo = z.object({
  numEdges: count,
  outDim: count,
  /** Counted once more, from the outputs written */
  metrics: z.record(z.string(), z.number().nullable()),
});
export type EdgePredictionsInfo = z.infer<typeof edgePredictionsInfo>;

/** What the columns of an export of embeddings are called; not in npy, csv and pgcopy, which have no such names. */
export const exportColumns = z.object({ id: z.string().default("id"), vector: z.string().default("embedding") });
export type ExportColumns = z.infer<typeof exportColumns>;

/** What the lines of one file for PostgreSQL's `COPY` hold, which names no columns itself. */
export const tableShape = z.object({
  file: z.string(),
  numRows: count,
  /** Columns that tell any two rows apart; none where rows may be alike */
  key: z.array(z.string()),
  /** The type of node that all rows are of; null: of any */
  nodeType: z.string().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.enum(["int64", "text", "int32", "float32", "vector"]),
      /** Numbers in each vector; null: the column holds none */
      dim: count.nullable(),
    }),
  ),
});
export type TableShape = z.infer<typeof tableShape>;

/** `info` of an `exports` artifact: the formats of its files, and the columns of those that have no header. */
export const exportsInfo = z.object({
  numNodes: count,
  dim: count,
  embeddings: z.array(z.string()),
  predictions: z.array(z.string()),
  columns: exportColumns.prefault({}),
  /** One for each file `.pgcopy`; artifacts of earlier versions have none */
  tables: z.array(tableShape).default([]),
});
export type ExportsInfo = z.infer<typeof exportsInfo>;
