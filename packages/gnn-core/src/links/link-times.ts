import type { TimedEdges } from "../graph/timed-edges.ts";

/** When what training reads of a split by time came to be. */
export interface LinkTimes {
  /** Times of the training links, float64 [train]: those of their first rows, in either direction */
  readonly train: Float64Array;
  /** The edges that carry messages, by time */
  readonly messages: TimedEdges;
}
