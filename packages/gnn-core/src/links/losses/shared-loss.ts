import { add, matMul, mul, type Scalar, sum, type Tensor2D } from "../../backends/tf.ts";
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

/** Which of the nodes are no negatives of each link: places among them, ascending. Loops: a step has many links. */
function leftOf(
  seen: KnownPairs,
  { src, relations }: NodePairs,
  own: Int32Array,
  nodes: Int32Array,
): SharedSoftmaxAttrs {
  const placeOf = new Int32Array(seen.numNodes).fill(-1);
  for (const [place, node] of nodes.entries()) placeOf[node] = place;
  const numRelations = 1 + (relations?.reduce((most, relation) => Math.max(most, relation), 0) ?? 0);
  const starts = new Int32Array(own.length + 1);
  const lists = new PlaceLists();
  /** The first link of each query */
  const known = new Map<number, number>();
  for (let i = 0; i < own.length; i++) {
    const place = own[i] as number;
    const [source, relation] = [src[place] as number, relations?.[place]];
    const query = source * numRelations + (relation ?? 0);
    const first = known.get(query);
    if (first !== undefined) lists.repeat(starts[first] as number, starts[first + 1] as number);
    else {
      lists.add(seen.targetsOf(source, relation), source, placeOf);
      known.set(query, i);
    }
    starts[i + 1] = lists.length;
  }
  return { starts, left: lists.values };
}

/** Lists of places, one behind the other */
class PlaceLists {
  length = 0;
  #places = new Int32Array(1024);

  get values(): Int32Array {
    return this.#places.slice(0, this.length);
  }

  /** A list that is there already */
  repeat(begin: number, end: number): void {
    this.#reserve(end - begin);
    this.#places.copyWithin(this.length, begin, end);
    this.length += end - begin;
  }

  /** Places of a source and what it is linked with, ascending */
  add(targets: Int32Array, source: number, placeOf: Int32Array): void {
    this.#reserve(targets.length + 1);
    const places = this.#places;
    const begin = this.length;
    const own = placeOf[source] as number;
    let hasOwn = own < 0;
    let end = begin;
    for (let i = 0; i < targets.length; i++) {
      const place = placeOf[targets[i] as number] as number;
      if (place < 0) continue;
      places[end++] = place;
      hasOwn ||= place === own;
    }
    if (!hasOwn) places[end++] = own;
    this.length = end;
    // Nodes that are drawn are ascending, as targets are: the source is out of order, or nodes of one's own.
    for (let i = begin + 1; i < end; i++) {
      if ((places[i - 1] as number) > (places[i] as number)) {
        places.subarray(begin, end).sort();
        break;
      }
    }
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#places.length) return;
    const larger = new Int32Array(2 * (this.length + count));
    larger.set(this.#places);
    this.#places = larger;
  }
}
