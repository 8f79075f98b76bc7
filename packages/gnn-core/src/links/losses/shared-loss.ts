import { add, matMul, mul, type Scalar, sum, type Tensor2D } from "../../backends/tf.ts";
import { concatInt32 } from "../../io/concat-int32.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import { leftOut } from "../../ops/left-out.ts";
import { type SharedSoftmaxAttrs, sharedSoftmaxSum } from "../../ops/shared-softmax.ts";
import type { EdgeMiniBatch } from "../../sampling/edge-loader.ts";
import type { DecoderProduct } from "../decoders/link-decoder.ts";
import type { KnownPairs } from "../known-pairs.ts";
import type { SharedNodes } from "../negatives/shared.ts";
import type { NodeGroups } from "../node-groups.ts";
import type { NodePairs } from "../node-pairs.ts";
import type { LinkLoss } from "./link-loss.ts";

export interface SharedScoring {
  readonly product: DecoderProduct;
  readonly loss: LinkLoss;
  /** The training links, which are no negatives */
  readonly seen: KnownPairs;
  readonly groups: NodeGroups | null;
}

/** Links of a rank by their nodes, in the order of the batch's rows, and what they are told from */
export interface SharedLinks {
  readonly pairs: NodePairs;
  readonly shared: SharedNodes;
}

type Rows = Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations"> & { readonly otherRows: Int32Array };

/**
 * The loss of links u → v against nodes that all of them share, those of v's type: s = Q·Kᵀ for each type, one product.
 * A shared node that u is linked with in training by the same relation, or is itself, counts nothing. To be called
 * inside `tidy`. Memory: of a softmax `sharedSoftmaxSum`; of other losses links × shared nodes, four times.
 *
 * @param outputs float32 [seeds, dim]
 * @returns summed over the links
 */
export function sharedLossSum(scoring: SharedScoring, outputs: Tensor2D, rows: Rows, links: SharedLinks): Scalar {
  const { groups } = scoring;
  const { dst } = links.pairs;
  const places = Int32Array.from(dst.keys());
  const parts = links.shared.sets.flatMap(({ type, begin, end }) => {
    const own = groups ? places.filter((place) => groups.typeOf(dst[place] as number) === type) : places;
    if (own.length === 0) return [];
    const left = leftOf(scoring.seen, links.pairs, own, links.shared.nodes.subarray(begin, end));
    return lossOfType(scoring, outputs, { ...rows, otherRows: rows.otherRows.slice(begin, end) }, { own, left });
  });
  return parts.length === 0 ? mul(sum<Scalar>(outputs), 0) : parts.reduce((all, part) => add<Scalar>(all, part));
}

/** The loss of the links at some places, which end in one type. */
function lossOfType(
  { product, loss }: SharedScoring,
  outputs: Tensor2D,
  { srcRows, dstRows, relations, otherRows }: Rows,
  { own: places, left }: { readonly own: Int32Array; readonly left: SharedSoftmaxAttrs },
): Scalar {
  const taken = (values: Int32Array) => places.map((place) => values[place] as number);
  const queries = product.query(gatherRows(outputs, taken(srcRows)), relations && taken(relations));
  const own = product.key(gatherRows(outputs, taken(dstRows)));
  const keys = product.key(gatherRows(outputs, otherRows));
  const { temperature } = loss;
  if (temperature !== undefined) {
    return sharedSoftmaxSum(temperature === 1 ? queries : mul<Tensor2D>(queries, 1 / temperature), own, keys, left);
  }
  const positives = sum<Tensor2D>(mul(queries, own), 1, true);
  return loss(positives, leftOut(matMul<Tensor2D>(queries, keys, false, true), left));
}

/** Which of the nodes are no negatives of each link: places among them, ascending. */
function leftOf(
  seen: KnownPairs,
  { src, relations }: NodePairs,
  own: Int32Array,
  nodes: Int32Array,
): SharedSoftmaxAttrs {
  const placeOf = new Int32Array(seen.numNodes).fill(-1);
  for (const [place, node] of nodes.entries()) placeOf[node] = place;
  const known = new Map<number, Int32Array>();
  const numRelations = 1 + (relations?.reduce((most, relation) => Math.max(most, relation), 0) ?? 0);
  const lists = Array.from(own, (place) => {
    const [source, relation] = [src[place] as number, relations?.[place]];
    const query = source * numRelations + (relation ?? 0);
    const found = known.get(query) ?? placesOf(seen.targetsOf(source, relation), source, placeOf);
    known.set(query, found);
    return found;
  });
  const starts = new Int32Array(own.length + 1);
  for (const [i, list] of lists.entries()) starts[i + 1] = (starts[i] as number) + list.length;
  return { starts, left: concatInt32(lists) };
}

/** Places of a source and what it is linked with, ascending; a loop, as a step looks at all links of its sources. */
function placesOf(targets: Int32Array, source: number, placeOf: Int32Array): Int32Array {
  const places: number[] = [];
  for (const target of targets) if ((placeOf[target] as number) >= 0) places.push(placeOf[target] as number);
  const own = placeOf[source] as number;
  if (own >= 0 && !places.includes(own)) places.push(own);
  return Int32Array.from(places).toSorted();
}
