import { numReliabilityBins, type Reliability } from "../spec/calibration-info.ts";
import { argMax } from "./metrics.ts";
import type { ScoredNodes } from "./temperature.ts";

/**
 * The reliability diagram of some nodes and what follows from it, with the probabilities softmax(z/T): expected
 * calibration error over 15 bins of equal width, and the mean negative log likelihood.
 *
 * @returns null without nodes, and of logits that are no numbers
 */
export function reliabilityOf({ logits, labels, numClasses }: ScoredNodes, temperature: number): Reliability | null {
  const counts = new Float64Array(numReliabilityBins);
  const sure = new Float64Array(numReliabilityBins);
  const right = new Float64Array(numReliabilityBins);
  let loss = 0;
  for (const [row, label] of labels.entries()) {
    const predicted = argMax(logits, row, numClasses);
    const { sum, own } = weightsOf(logits, row, { numClasses, label, predicted, temperature });
    const bin = binOf(1 / sum);
    counts[bin] = (counts[bin] as number) + 1;
    sure[bin] = (sure[bin] as number) + 1 / sum;
    right[bin] = (right[bin] as number) + Number(predicted === label);
    loss += Math.log(sum) - own;
  }
  if (labels.length === 0 || !Number.isFinite(loss)) return null;
  const bins = Array.from(counts, (count, bin) => ({
    bin,
    count,
    confidence: Math.min(1, (sure[bin] as number) / count),
    accuracy: (right[bin] as number) / count,
  })).filter(({ count }) => count > 0);
  const nodes = labels.length;
  const ece = bins.reduce((sum, b) => sum + (b.count / nodes) * Math.abs(b.accuracy - b.confidence), 0);
  return { nodes, ece: Math.min(1, ece), nll: Math.max(0, loss / nodes), bins };
}

/** The bin of a probability in (0, 1]: b holds (b/15, (b+1)/15]. */
export function binOf(probability: number): number {
  return Math.min(numReliabilityBins - 1, Math.max(0, Math.ceil(probability * numReliabilityBins) - 1));
}

interface RowOf {
  readonly numClasses: number;
  readonly label: number;
  readonly predicted: number;
  readonly temperature: number;
}

/** Σ_c e^((z_c − z_predicted)/T), the reciprocal of the predicted class's probability, and the label's own exponent. */
function weightsOf(logits: Float32Array, row: number, { numClasses, label, predicted, temperature }: RowOf) {
  const start = row * numClasses;
  const top = logits[start + predicted] as number;
  let sum = 0;
  for (let c = start; c < start + numClasses; c++) sum += Math.exp(((logits[c] as number) - top) / temperature);
  return { sum, own: ((logits[start + label] as number) - top) / temperature };
}
