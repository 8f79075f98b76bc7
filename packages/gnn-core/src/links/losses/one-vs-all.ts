import { mul, type Scalar, type Tensor2D } from "../../backends/tf.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import { kVsAllSum } from "../../ops/k-vs-all.ts";
import type { EdgeMiniBatch } from "../../sampling/edge-loader.ts";
import type { DecoderProduct } from "../decoders/link-decoder.ts";
import type { NodeGroups } from "../node-groups.ts";

export interface OneVsAllOptions {
  /** Share of each target that is spread over all nodes of its type, in [0, 1) */
  readonly labelSmoothing: number;
  /** What scores are divided by. Default 1 */
  readonly temperature?: number;
}

export interface KvsAllOptions extends OneVsAllOptions {
  /** softmax: which nodes are a query's targets, which share it; binaryCrossEntropy: of each node whether it is one */
  readonly each: "softmax" | "binaryCrossEntropy";
}

/** Rows of a batch whose seeds are all nodes, by GlobalId */
type Ends = Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">;

/**
 * The cross-entropy of each link's target among all nodes of its type, summed over the links:
 *   −log softmax_v(s(u, v)), of which a share ε is the mean of −log softmax_w(s(u, w)) over these nodes.
 * Lacroix et al. 2018 (arXiv:1806.07297), section 2.2; label smoothing as Szegedy et al. 2016 (arXiv:1512.00567) have
 * it. Memory: `kVsAllSum`.
 *
 * @param product of a decoder whose scores are one
 * @param outputs float32 [numNodes, dim], rows of all nodes
 * @param groups  null: nodes are all alike
 */
export function oneVsAllSum(
  product: DecoderProduct,
  outputs: Tensor2D,
  { srcRows, dstRows, relations }: Ends,
  options: OneVsAllOptions & { readonly groups: NodeGroups | null },
): Scalar {
  const starts = Int32Array.from({ length: dstRows.length + 1 }, (_, link) => link);
  const ends = { srcRows, ...(relations && { relations }), starts, targets: dstRows };
  return queriesVsAllSum(product, outputs, ends, { ...options, each: "softmax" });
}

/** Queries of such a batch, and the targets of each (`TrainingQueries`) */
export type AskedEnds = Omit<Ends, "dstRows"> & { readonly starts: Int32Array; readonly targets: Int32Array };

/**
 * The loss of each query's targets, all at once, among all nodes of their type, summed over the queries: `kVsAllSum`.
 * Dettmers et al. 2018 (arXiv:1707.01476), section 4.1; softmax: Ruffinelli et al. 2020, "You CAN teach an old dog new
 * tricks!", table 1.
 */
export function queriesVsAllSum(
  product: DecoderProduct,
  outputs: Tensor2D,
  { srcRows, relations, starts, targets }: AskedEnds,
  { each, labelSmoothing, temperature = 1, groups }: KvsAllOptions & { readonly groups: NodeGroups | null },
): Scalar {
  const queries = product.query(gatherRows(outputs, srcRows), relations);
  return kVsAllSum(temperature === 1 ? queries : mul<Tensor2D>(queries, 1 / temperature), product.key(outputs), {
    kind: each === "softmax" ? "softmax" : "binary",
    smoothing: labelSmoothing,
    starts,
    targets,
    groups: groups && { groupOf: groups.types, numGroups: groups.numTypes },
  });
}
