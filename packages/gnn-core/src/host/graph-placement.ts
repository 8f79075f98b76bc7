import type { FeaturePlacement } from "./feature-placement.ts";
import type { BatchSize, MemoryTerm } from "./step-memory.ts";

/** Who samples the blocks of a step of a rank that computes on a device, and so where the graph lies. */
export type SamplingPlace = "device" | "host";

export interface SampledGraph {
  readonly numNodes: number;
  readonly numEdges: number;
  readonly isWeighted: boolean;
  /** Whether every hop of every step has all of its edges but those between the step's own links; default false */
  readonly isWhole?: boolean | undefined;
}

export interface GraphRoom {
  /** What the graph and sampling it take */
  readonly numBytes: number;
  /** What of the feature rows is to lie on the device beside it, as they are stored (`bytesBesideGraph`) */
  readonly featureBytes: number;
  /** What a device has left beside what a step needs */
  readonly deviceBytes: number;
}

/** Batches that are sampled, or wait, beside those that a step counts already. */
export const batchesSampledAhead = 3;

/** Per src row or edge of the largest block: three tables of up to four slots for each, and four lists. */
const workBytes = 4 * (3 * 4 + 4);
/** The share of a device's memory that a graph may take from a cache of feature rows */
const shareBesideCache = 0.5;

/** What a device needs to sample a graph that lies in its memory: an upper bound, term by term. */
export function graphTerms(graph: SampledGraph, { rows, edges }: BatchSize): MemoryTerm[] {
  if (graph.isWhole) return wholeGraphTerms(graph);
  const { numNodes, numEdges, isWeighted } = graph;
  const perEdge = isWeighted ? 8 : 4;
  return [
    { what: "the graph, which the device samples", amount: (numNodes + 1) * 8 + numEdges * perEdge },
    {
      what: `blocks of ${batchesSampledAhead} batches that are sampled ahead, and the tables of one in work`,
      amount: batchesSampledAhead * (edges * perEdge + rows * 8) + (rows + edges) * workBytes,
    },
  ];
}

/**
 * What a device needs to have a whole graph, by dst and by src, and to take the edges of a step out of it: an upper
 * bound, term by term. A block in work or ahead has weights and degrees beside its edges.
 */
function wholeGraphTerms({ numNodes, numEdges }: SampledGraph): MemoryTerm[] {
  const byBoth = 2 * 4 * (numNodes + 1) + 3 * 4 * numEdges;
  const blockBytes = byBoth + 4 * numEdges + 2 * 4 * numNodes;
  return [
    { what: "the graph, by both ends of its edges", amount: byBoth + 8 * (numNodes + 1) + 4 * numNodes },
    {
      what: `the graph without the links of a step, of ${batchesSampledAhead} steps ahead and the one in work`,
      amount: (batchesSampledAhead + 1) * blockBytes + 4 * 4 * (numEdges + 1),
    },
  ];
}

/** Bytes of feature rows that are to lie beside the graph: all of them, this rank's share, or none. */
export function bytesBesideGraph(asked: FeaturePlacement | "auto", featureBytes: number, ranksOfHost: number): number {
  if (asked === "sharded") return Math.ceil(featureBytes / ranksOfHost);
  return asked === "auto" || asked === "device" ? featureBytes : 0;
}

/**
 * On the device where the graph fits beside all feature rows. Where these do not fit anyway, or are to lie elsewhere,
 * the graph comes first: a cache of rows takes what is left.
 */
export function placeGraph({ numBytes, featureBytes, deviceBytes }: GraphRoom): SamplingPlace {
  if (featureBytes + numBytes <= deviceBytes) return "device";
  return featureBytes > deviceBytes && numBytes <= deviceBytes * shareBesideCache ? "device" : "host";
}

/** A place in a sentence, for logs and estimates. */
export const samplingWords: Readonly<Record<SamplingPlace, string>> = {
  device: "The graph lies in the device's memory, and the device samples the blocks of each step",
  host: "The host samples the blocks of each step and copies them to the device",
};

/** Why a host samples what a device could */
export const graphTooLarge = "the graph does not fit into the device's memory beside the features";
