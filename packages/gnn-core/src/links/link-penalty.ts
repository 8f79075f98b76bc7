import { abs, add, mul, type Scalar, sqrt, square, sum, type Tensor2D, tensor2d } from "../backends/tf.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import type { EdgeMiniBatch } from "../sampling/edge-loader.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import { halves } from "./decoders/compl-ex.ts";
import { tiny } from "./decoders/distance.ts";
import type { LinkDecoder } from "./decoders/link-decoder.ts";

/** What keeps the rows that a link is scored by short, so that links are not learnt by heart. */
export interface LinkPenalty {
  /** l2: Σ_k |x_k|² of a row x; n3: Σ_k |x_k|³, where complex rows have moduli */
  readonly type: "l2" | "n3";
  readonly weight: number;
}

/** Links of one step whose rows are kept short */
export interface PenalisedLinks extends Pick<EdgeMiniBatch, "srcRows" | "relations"> {
  readonly targets: Int32Array;
  /** Where sources have several targets: those of source i are `targets[starts[i]]` to `targets[starts[i + 1] - 1]` */
  readonly starts?: Int32Array;
}

/** The first pairs of a batch, which are links; their negatives are not penalised. */
export function linksOf(
  { srcRows, dstRows, relations }: Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">,
  numLinks: number,
): PenalisedLinks {
  return {
    srcRows: srcRows.subarray(0, numLinks),
    targets: dstRows.subarray(0, numLinks),
    ...(relations && { relations: relations.subarray(0, numLinks) }),
  };
}

/**
 * A loss with weight·Σ(‖h_u‖ + ‖r‖ + ‖h_v‖) added over a step's links u → v of relation r, each ‖x‖ as `type` says; of
 * several targets v of one source the mean. n3 is the nuclear 3-norm of Lacroix et al. 2018 (arXiv:1806.07297),
 * equation 11.
 */
export function withLinkPenalty(
  loss: TaskLoss,
  penalty: LinkPenalty,
  decoder: Pick<LinkDecoder, "relationRows" | "isComplex">,
  links: PenalisedLinks,
): TaskLoss {
  return {
    ...loss,
    lossSum: (outputs, seeds) => add(loss.lossSum(outputs, seeds), penaltySum(penalty, decoder, outputs, links)),
  };
}

function penaltySum(
  { type, weight }: LinkPenalty,
  { relationRows, isComplex = false }: Pick<LinkDecoder, "relationRows" | "isComplex">,
  outputs: Tensor2D,
  { srcRows, relations, targets, starts }: PenalisedLinks,
): Scalar {
  const lengths = type === "l2" ? squares : isComplex ? cubedModuli : cubes;
  const sources = lengths(gatherRows(outputs, srcRows));
  const ofTargets = lengths(gatherRows(outputs, targets));
  const parts = [sources, starts ? mul<Tensor2D>(ofTargets, sharesOf(starts, ofTargets.shape[1])) : ofTargets];
  if (relationRows) parts.push(lengths(relationRows.take(relations ?? new Int32Array(srcRows.length))));
  const sums = parts.map((part) => sum<Scalar>(part));
  return mul(
    weight,
    sums.reduce((all, each) => add<Scalar>(all, each)),
  );
}

/** float32 [targets, columns]: one divided by how many targets the source has */
function sharesOf(starts: Int32Array, columns: number): Tensor2D {
  const numTargets = starts.at(-1) ?? 0;
  const shares = new Float32Array(numTargets * columns);
  for (let i = 0; i + 1 < starts.length; i++) {
    const [first, end] = [starts[i] as number, starts[i + 1] as number];
    shares.fill(1 / (end - first), first * columns, end * columns);
  }
  return tensor2d(shares, [numTargets, columns]);
}

const squares = (rows: Tensor2D) => square(rows);

const cubes = (rows: Tensor2D) => mul<Tensor2D>(abs(rows), square(rows));

function cubedModuli(rows: Tensor2D): Tensor2D {
  const [real, imaginary] = halves(rows);
  const squared = add<Tensor2D>(square(real), square(imaginary));
  return mul<Tensor2D>(squared, sqrt(add(squared, tiny)));
}
