import { add, div, mul, type Scalar, sub, sum, type Tensor2D, tensor2d } from "../../backends/tf.ts";
import { crossEntropySum } from "../../ops/cross-entropy.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import type { EdgeMiniBatch } from "../../sampling/edge-loader.ts";
import type { LinkDecoder } from "../decoders/link-decoder.ts";
import type { NodeGroups } from "../node-groups.ts";

export interface OneVsAllOptions {
  /** Share of each target that is spread over all nodes of its type, in [0, 1) */
  readonly labelSmoothing: number;
}

/** Rows of a batch whose seeds are all nodes, by GlobalId */
type Ends = Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">;

/** What is no candidate scores so much less that its exponential is 0. */
const farBelow = 1e9;

/**
 * The cross-entropy of each link's target among all nodes of its type, summed over the links:
 *   −log softmax_v(s(u, v)), of which a share ε is the mean of −log softmax_w(s(u, w)) over these nodes.
 * Lacroix et al. 2018 (arXiv:1806.07297), section 2.2; label smoothing as Szegedy et al. 2016 (arXiv:1512.00567) have
 * it. Memory: a score for each link and node, thrice.
 *
 * @param decoder one whose scores of all pairs are a product (`isProduct`)
 * @param outputs float32 [numNodes, dim], rows of all nodes
 * @param groups  null: nodes are all alike
 */
export function oneVsAllSum(
  decoder: Pick<LinkDecoder, "score" | "scoreAll">,
  outputs: Tensor2D,
  { srcRows, dstRows, relations }: Ends,
  { labelSmoothing, groups }: OneVsAllOptions & { readonly groups: NodeGroups | null },
): Scalar {
  const src = gatherRows(outputs, srcRows);
  const scores = decoder.scoreAll(src, outputs, relations);
  const members =
    groups &&
    gatherRows(
      membersByType(groups, outputs.shape[0]),
      dstRows.map((node) => groups.typeOf(node)),
    );
  const among = members ? add<Tensor2D>(scores, mul(sub(members, 1), farBelow)) : scores;
  const entropy = crossEntropySum(among, dstRows, null);
  if (labelSmoothing === 0) return entropy;
  const own = decoder.score(src, gatherRows(outputs, dstRows), relations);
  const means = members
    ? div<Tensor2D>(sum(mul(scores, members), 1, true), sum(members, 1, true))
    : div<Tensor2D>(sum(scores, 1, true), outputs.shape[0]);
  return add(entropy, mul(labelSmoothing, sub(sum<Scalar>(own), sum<Scalar>(means))));
}

/** float32 [types, numNodes]: 1 where the node is of the type */
function membersByType(groups: NodeGroups, numNodes: number): Tensor2D {
  const values = new Float32Array(groups.numTypes * numNodes);
  for (let node = 0; node < numNodes; node++) values[groups.typeOf(node) * numNodes + node] = 1;
  return tensor2d(values, [groups.numTypes, numNodes]);
}
