import type { TimedEdges } from "../graph/timed-edges.ts";

/** When what training reads of a split by time came to be. */
export interface LinkTimes {
  /** Of each training link, float64 [train]: that of its first row, in either direction */
  readonly train: Float64Array;
  /** The edges that carry messages, by time */
  readonly messages: TimedEdges;
}
