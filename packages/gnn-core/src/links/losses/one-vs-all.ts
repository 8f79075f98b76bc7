import type { Scalar, Tensor2D } from "../../backends/tf.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import { kVsAllSum } from "../../ops/k-vs-all.ts";
import type { EdgeMiniBatch } from "../../sampling/edge-loader.ts";
import type { DecoderProduct } from "../decoders/link-decoder.ts";
import type { NodeGroups } from "../node-groups.ts";

export interface OneVsAllOptions {
  /** Share of each target that is spread over all nodes of its type, in [0, 1) */
  readonly labelSmoothing: number;
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
  { labelSmoothing, groups }: OneVsAllOptions & { readonly groups: NodeGroups | null },
): Scalar {
  const queries = product.query(gatherRows(outputs, srcRows), relations);
  return kVsAllSum(queries, product.key(outputs), {
    kind: "softmax",
    smoothing: labelSmoothing,
    starts: Int32Array.from({ length: dstRows.length + 1 }, (_, link) => link),
    targets: dstRows,
    groups: groups && { groupOf: groups.types, numGroups: groups.numTypes },
  });
}
