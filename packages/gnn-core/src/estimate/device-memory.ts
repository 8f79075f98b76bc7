import type { EstimateInput, EstimateLine } from "./estimate-job.ts";
import { type FeatureRoom, placeFeatures } from "./feature-placement.ts";

/** What the driver and the libraries of one process take of a device. Assumed: nothing has been measured on one. */
const contextBytes = 600e6;
/** The batch in work and the one that is copied meanwhile */
const batchesOnDevice = 2;

export interface BatchSize {
  /** Rows of the input layer */
  readonly rows: number;
  /** Edges of all its blocks */
  readonly edges: number;
}

/**
 * What a rank needs of the memory of a device that it has to itself: an upper bound, term by term. Dense
 * float32 features that it holds itself lie where `placeFeatures` says; rows of others are copied batch by batch.
 */
export function deviceLines(
  input: EstimateInput,
  { rows, edges }: BatchSize,
  { deviceBytes, hostBytes }: Pick<FeatureRoom, "deviceBytes" | "hostBytes">,
): EstimateLine[] {
  const { graph, numParameters, hiddenFeats, numHops, learnedRows } = input;
  const hops = Math.max(1, numHops);
  const inDim = graph.features.dim + (learnedRows?.dim ?? 0);
  const lines = [
    { what: "the driver's context and the kernels (assumed)", amount: contextBytes },
    { what: "weights, gradients, two Adam moments, all-reduce bucket", amount: numParameters * 4 * 5 },
    { what: `features of ${batchesOnDevice} batches`, amount: rows * inDim * 4 * batchesOnDevice },
    // A column and its place in the reversed block for each edge; of every block's rows an id and two offsets.
    { what: `blocks of ${batchesOnDevice} batches`, amount: (edges * 8 + rows * 20 * hops) * batchesOnDevice },
    { what: "activations and their gradients", amount: rows * hiddenFeats * 4 * 2 * hops },
  ];
  const rest = deviceBytes - lines.reduce((sum, { amount }) => sum + amount, 0);
  const isDense = graph.features.kind === "dense" && (input.featureDtype ?? "fp32") === "fp32";
  const rowBytes = isDense ? graph.features.dim * 4 : 0;
  const numRows = input.isPartitioned ? Math.ceil(graph.numNodes / input.ranks) : graph.numNodes;
  const room = { numRows, rowBytes, deviceBytes: rest, hostBytes };
  const { deviceRows } = placeFeatures(room);
  const resident = { what: "features that stay on the device", amount: deviceRows * rowBytes };
  return [...lines, ...(resident.amount > 0 ? [resident] : [])].map((line) => ({ of: "deviceMemory", ...line }));
}
