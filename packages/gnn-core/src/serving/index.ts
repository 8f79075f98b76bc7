/** What a process needs to answer single questions about the rows of a job, without a training around it. */

export {
  type NearestQuery,
  NearestSearch,
  type NearRow,
  type NeighborMetric,
  neighborMetrics,
} from "./nearest-search.ts";
export type { FeatureCell, NewEdge, NewNode } from "./new-nodes/new-node.ts";
export type { NeighborhoodLimits } from "./new-nodes/whole-neighborhood.ts";
export { openServedModel } from "./open-served-model.ts";
export { setSearchThreads } from "./search-threads.ts";
export type { NewRows, ServedModel } from "./served-model.ts";
export { type Neighbor, type NeighborsQuery, type Prediction, ServedRows } from "./served-rows.ts";
