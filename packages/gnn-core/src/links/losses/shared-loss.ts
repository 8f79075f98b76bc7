import { tensorFloats } from "../../backends/tensor-floats.ts";
import { add, customGrad, matMul, mul, type Scalar, sum, type Tensor, type Tensor2D, tensor2d } from "../../backends/tf.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import type { EdgeMiniBatch } from "../../sampling/edge-loader.ts";
import type { DecoderProduct } from "../decoders/link-decoder.ts";
import type { KnownPairs } from "../known-pairs.ts";
import type { NodeGroups } from "../node-groups.ts";
import type { NodePairs } from "../node-pairs.ts";
import type { SharedNodes } from "../negatives/shared.ts";
import type { LinkLoss } from "./link-loss.ts";

/** What a negative that is a training link scores below 0: it counts nothing in any loss */
const farBelow = 1e9;

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
 * inside `tidy`. Memory: links × shared nodes, four times.
 *
 * @param outputs float32 [seeds, dim]
 * @returns summed over the links
 */
export function sharedLossSum(scoring: SharedScoring, outputs: Tensor2D, rows: Rows, links: SharedLinks): Scalar {
  const { product, loss, groups } = scoring;
  const { dst } = links.pairs;
  const places = Int32Array.from(dst.keys());
  const parts = links.shared.sets.flatMap(({ type, begin, end }) => {
    const of = groups ? places.filter((place) => groups.typeOf(dst[place] as number) === type) : places;
    if (of.length === 0 || begin === end) return [];
    const rowsOf = (all: Int32Array) => gatherRows(outputs, of.map((place) => all[place] as number));
    const queries = product.query(rowsOf(rows.srcRows), rows.relations && of.map((place) => rows.relations![place]!));
    const positives = sum<Tensor2D>(mul(queries, product.key(rowsOf(rows.dstRows))), 1, true);
    const keys = product.key(gatherRows(outputs, rows.otherRows.slice(begin, end)));
    const scores = matMul<Tensor2D>(queries, keys, false, true);
    const taken = takenOf(scoring.seen, links, of, links.shared.nodes.subarray(begin, end));
    return loss(positives, taken.length === 0 ? scores : leftOut(scores, taken));
  });
  return parts.length === 0 ? mul(sum<Scalar>(outputs), 0) : parts.reduce((all, part) => add<Scalar>(all, part));
}

/** Which of the links' scores with the nodes are of training links, or of a node with itself: places in rows of them */
function takenOf(seen: KnownPairs, { pairs }: SharedLinks, of: Int32Array, nodes: Int32Array): number[] {
  const columnOf = new Map(Array.from(nodes, (node, column) => [node, column]));
  const bySource = new Map<number, readonly number[]>();
  const numRelations = 1 + (pairs.relations?.reduce((most, each) => Math.max(most, each), 0) ?? 0);
  return Array.from(of).flatMap((place, row) => {
    const [source, relation] = [pairs.src[place] as number, pairs.relations?.[place]];
    const key = source * numRelations + (relation ?? 0);
    const columns = bySource.get(key) ?? columnsOf([...seen.targetsOf(source, relation), source], columnOf);
    bySource.set(key, columns);
    return columns.map((column) => row * nodes.length + column);
  });
}

function columnsOf(nodes: readonly number[], columnOf: ReadonlyMap<number, number>): readonly number[] {
  return nodes.flatMap((node) => columnOf.get(node) ?? []);
}

/** Scores of which some are far below all others. No loss has a gradient there, so that none is taken away. */
function leftOut(scores: Tensor2D, places: readonly number[]): Tensor2D {
  const constant = customGrad((given) => {
    const values = tensorFloats(given as Tensor2D).slice();
    for (const place of places) values[place] = -farBelow;
    return { value: tensor2d(values, scores.shape), gradFunc: (dy: Tensor) => dy };
  });
  return constant(scores) as Tensor2D;
}
