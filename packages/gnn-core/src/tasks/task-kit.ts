import { tfjs } from "../backends/tf.ts";
import { countHits } from "../ops/count-hits.ts";
import { countLabels } from "../ops/count-labels.ts";
import { crossEntropySum } from "../ops/cross-entropy.ts";
import { regressionLossSum } from "../ops/regression-loss.ts";
import { sigmoidCrossEntropySum } from "../ops/sigmoid-cross-entropy.ts";
import { labelledNodes } from "./labelled-nodes.ts";

/** What tasks are built from; they receive it as `kit`. */
export interface TaskKit {
  /** The seeds of a task whose seeds are nodes */
  readonly labelledNodes: typeof labelledNodes;
  /** Σ w_v · −log softmax(z_v)[y_v] */
  readonly crossEntropySum: typeof crossEntropySum;
  /** Σ −[t · log σ(z) + (1 − t) · log(1 − σ(z))] over all entries */
  readonly sigmoidCrossEntropySum: typeof sigmoidCrossEntropySum;
  /** Σ l(z − t) over the known targets */
  readonly regressionLossSum: typeof regressionLossSum;
  /** Rows whose largest logit is at their label, on the device that computes them; null where it lies with the host */
  readonly countHits: typeof countHits;
  /** Micro F1 of several labels as a fraction, on the device that computes them; null where they lie with the host */
  readonly countLabels: typeof countLabels;
  /** For losses of one's own: the tensor library they are written in. */
  readonly tf: typeof tfjs;
}

export const taskKit: TaskKit = {
  labelledNodes,
  crossEntropySum,
  sigmoidCrossEntropySum,
  regressionLossSum,
  countHits,
  countLabels,
  tf: tfjs,
};
