import { z } from "zod";
import { setOfGraphs } from "./set-of-graphs.ts";

const count = z.number().int().nonnegative();

/** What `info` of a `graph` artifact says of the rows of edges that have something to be predicted. */
export const edgeRowsInfo = z.object({
  /** Rows of the files that became edges: those that were repeated or left out have no number */
  numRows: count,
  classes: z.array(z.string()),
  labelCounts: setOfGraphs.shape.labelCounts,
  targets: setOfGraphs.shape.targets,
  /** null: neither a column nor files say on which side rows are */
  splits: setOfGraphs.shape.splits.nullable(),
  hasTimes: z.boolean(),
  /** Whether it makes a difference which end is named first; left out: as of the graph */
  directed: z.boolean().optional(),
  /** Columns of features that the edges have */
  featureDim: count,
});
export type EdgeRowsInfo = z.infer<typeof edgeRowsInfo>;
