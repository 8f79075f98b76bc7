import { z } from "zod";

const count = z.number().int().nonnegative();

/** The smallest, the mean and the largest of what graphs have. */
const range = z.object({ min: count, mean: z.number(), max: count });

/** What `info` of a `graph` artifact says of a set of graphs. */
export const setOfGraphs = z.object({
  numGraphs: count,
  idType: z.enum(["int64", "string"]),
  classes: z.array(z.string()),
  labelCounts: z.array(z.object({ label: z.string(), count })),
  targets: z.array(
    z.object({
      name: z.string(),
      count,
      mean: z.number().nullable(),
      deviation: z.number().nullable(),
      min: z.number().nullable(),
      max: z.number().nullable(),
    }),
  ),
  splits: z.object({ train: count, val: count, test: count, none: count }),
  /** Graphs of each fold; none: there are no folds */
  folds: z.array(z.object({ name: z.string(), count })),
  nodes: range,
  /** Stored edges of a graph */
  edges: range,
  /** Nodes of a graph: bin i counts graphs with edges[i] ≤ nodes < edges[i + 1]. */
  sizeHistogram: z.object({ edges: z.array(count), counts: z.array(count) }),
});
export type SetOfGraphs = z.infer<typeof setOfGraphs>;
