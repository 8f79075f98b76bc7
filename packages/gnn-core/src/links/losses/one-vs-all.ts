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
  const scaled = temperature === 1 ? queries : mul<Tensor2D>(queries, 1 / temperature);
  const attrs = { kind: each === "softmax" ? "softmax" : "binary", smoothing: labelSmoothing, starts } as const;
  const only = groups && onlyTypeOf(targets, groups);
  if (groups && only !== null) {
    // Scores with the other types would be made and left out: of places and their visitors nearly half.
    const candidates = product.key(gatherRows(outputs, groups.nodesOf(only)));
    return kVsAllSum(scaled, candidates, { ...attrs, targets: targets.map((v) => groups.placeOf(v)), groups: null });
  }
  const among = groups && { groupOf: groups.types, numGroups: groups.numTypes };
  return kVsAllSum(scaled, product.key(outputs), { ...attrs, targets, groups: among });
}

/** The type of all targets; null: they are of several, or there are none. */
function onlyTypeOf(targets: Int32Array, groups: NodeGroups): number | null {
  if (targets.length === 0) return null;
  const type = groups.typeOf(targets[0] as number);
  return targets.every((target) => groups.typeOf(target) === type) ? type : null;
}
