import { abs, add, mul, type Scalar, sqrt, square, sum, type Tensor2D } from "../backends/tf.ts";
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

/**
 * A loss with weight·Σ(‖h_u‖ + ‖r‖ + ‖h_v‖) added over a step's links u → v of relation r, each ‖x‖ as `type` says.
 * n3 is the nuclear 3-norm of Lacroix et al. 2018 (arXiv:1806.07297), equation 11.
 *
 * @param numLinks the first pairs of the batch are links; their negatives are not penalised
 */
export function withLinkPenalty(
  loss: TaskLoss,
  penalty: LinkPenalty,
  decoder: Pick<LinkDecoder, "relationRows" | "isComplex">,
  ends: Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">,
  numLinks: number,
): TaskLoss {
  return {
    ...loss,
    lossSum: (outputs, seeds) =>
      add(loss.lossSum(outputs, seeds), penaltySum(penalty, decoder, outputs, ends, numLinks)),
  };
}

function penaltySum(
  { type, weight }: LinkPenalty,
  { relationRows, isComplex = false }: Pick<LinkDecoder, "relationRows" | "isComplex">,
  outputs: Tensor2D,
  { srcRows, dstRows, relations }: Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations">,
  numLinks: number,
): Scalar {
  const lengths = type === "l2" ? squares : isComplex ? cubedModuli : cubes;
  const rows = [srcRows, dstRows].map((ids) => gatherRows(outputs, ids.subarray(0, numLinks)));
  if (relationRows) rows.push(relationRows.take(relations?.subarray(0, numLinks) ?? new Int32Array(numLinks)));
  const sums = rows.map((each) => sum<Scalar>(lengths(each)));
  return mul(
    weight,
    sums.reduce((all, each) => add<Scalar>(all, each)),
  );
}

const squares = (rows: Tensor2D) => square(rows);

const cubes = (rows: Tensor2D) => mul<Tensor2D>(abs(rows), square(rows));

function cubedModuli(rows: Tensor2D): Tensor2D {
  const [real, imaginary] = halves(rows);
  const squared = add<Tensor2D>(square(real), square(imaginary));
  return mul<Tensor2D>(squared, sqrt(add(squared, tiny)));
}
