import { z } from "zod";

const count = z.number().int().nonnegative();
const sampleTable = z.object({
  columns: z.array(z.string()),
  /** Cells as texts; null: empty */
  rows: z.array(z.array(z.string().nullable())),
});

/** What somebody wants to know of a graph before training on it, counted once, while it is ingested. */
export const graphProfile = z.object({
  /** The mapped columns, in the order in which they are read: those of the nodes first */
  columns: z.array(
    z.object({
      table: z.enum(["nodes", "edges"]),
      /** Type of node, or relation, with a table of its own; left out: the table is of all */
      type: z.string().optional(),
      name: z.string(),
      role: z.string(),
      /** Values: of a column of vectors, `embedding[128]`, all numbers of all rows */
      rows: count,
      /** Cells that are empty, or say that the value is not known */
      missing: count,
      /** Texts that differ; null: more than are counted, or numbers */
      distinct: count.nullable(),
      /** null: texts, or no value is known */
      numbers: z
        .object({
          min: z.number(),
          max: z.number(),
          mean: z.number(),
          deviation: z.number(),
          zeros: count,
          /** Bin i counts edges[i] ≤ value < edges[i + 1]. */
          histogram: z.object({ edges: z.array(z.number()), counts: z.array(count) }),
        })
        .nullable(),
    }),
  ),
  /** Mapped columns beyond those that are listed */
  columnsLeftOut: count,
  /** In-degrees */
  degrees: z.object({ min: count, median: count, max: count }),
  /** Connected components, whatever the direction of edges, and the nodes of the largest */
  components: z.object({ count, largest: count }),
  /** The first rows of both tables, with the ids of the user */
  sample: z.object({ nodes: sampleTable, edges: sampleTable }),
  /** Feature columns of which each value always goes with one class */
  tellClass: z.array(z.string()),
  /** Feature columns of which each value always goes with one side of the split; left out by earlier versions */
  tellSplit: z.array(z.string()).optional(),
  /**
   * Nodes of val and test with features, and those among them whose features are those of a training node; null: no
   * features, no split, or too many values to look at. Left out by earlier versions
   */
  repeatedFeatures: z.object({ heldOut: count, repeated: count }).nullable().optional(),
});
export type GraphProfile = z.infer<typeof graphProfile>;
