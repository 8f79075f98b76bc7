import type { UnfittedReason } from "../spec/calibration-info.ts";
import { argMax } from "./metrics.ts";

/** Nodes of one class each, with what a model says of them. */
export interface ScoredNodes {
  /** float32 [labels.length, numClasses]: logits, or their log softmax, which differs by a constant of each row */
  readonly logits: Float32Array;
  /** int32, from 0 to numClasses − 1 */
  readonly labels: Int32Array;
  readonly numClasses: number;
}

/** The mean negative log likelihood as a function of β = 1/T, with its first two derivatives. */
export interface LikelihoodAt {
  readonly nll: number;
  readonly slope: number;
  readonly curvature: number;
}

export type FittedTemperature =
  | { readonly temperature: number; readonly unfitted: null }
  | { readonly temperature: null; readonly unfitted: UnfittedReason };

/** Temperatures outside say that the logits tell nothing, or that nothing is left to be learnt from the nodes. */
const leastTemperature = 1 / 100;
const greatestTemperature = 100;
const mostSteps = 100;
const precision = 1e-12;

/**
 * The temperature T for which softmax(z/T) makes the labels likeliest (Guo et al., On calibration of modern neural
 * networks, 2017), from 0.01 to 100.
 *
 * The mean of −log softmax(βz)[y] is convex in β = 1/T, so its slope has one root at most: Newton's steps find it, and
 * where one would leave the interval known to hold the root, the interval is halved on a logarithmic scale. Float64 and
 * one order of nodes, so the result does not depend on the number of ranks. Where every node is right the likelihood
 * grows for ever as T falls: then there is none.
 *
 * @param onPass after each pass over the nodes
 */
export function fitTemperature(nodes: ScoredNodes, onPass: () => void = () => {}): FittedTemperature {
  const { logits, labels, numClasses } = nodes;
  if (labels.length === 0) return { temperature: null, unfitted: "noValidation" };
  if (labels.every((label, row) => argMax(logits, row, numClasses) === label)) {
    return { temperature: null, unfitted: "allRight" };
  }
  const at = (beta: number) => {
    const found = likelihoodAt(nodes, beta);
    onPass();
    return found;
  };
  let low = 1 / greatestTemperature;
  let high = 1 / leastTemperature;
  // Neither end is beyond the root; NaN, of logits that are no numbers, is refused alike.
  if (!(at(low).slope < 0 && at(high).slope > 0)) return { temperature: null, unfitted: "outOfRange" };
  let beta = 1;
  for (let step = 0; step < mostSteps; step++) {
    const { slope, curvature } = at(beta);
    if (slope < 0) low = beta;
    else high = beta;
    const newton = beta - slope / curvature;
    const next = newton > low && newton < high ? newton : Math.sqrt(low * high);
    const isDone = Math.abs(next - beta) <= precision * beta;
    beta = next;
    if (isDone) break;
  }
  return { temperature: 1 / beta, unfitted: null };
}

/**
 * f(β) = mean of log Σ_c e^(β z_c) − β z_y, with f′ = mean of E[z] − z_y and f″ = mean of Var[z], both under
 * softmax(βz). Exponents are taken from the row's largest logit on, so none overflows.
 */
export function likelihoodAt({ logits, labels, numClasses }: ScoredNodes, beta: number): LikelihoodAt {
  let nll = 0;
  let slope = 0;
  let curvature = 0;
  for (const [row, label] of labels.entries()) {
    const start = row * numClasses;
    const top = logits[start + argMax(logits, row, numClasses)] as number;
    let sum = 0;
    let first = 0;
    let second = 0;
    for (let c = start; c < start + numClasses; c++) {
      const below = (logits[c] as number) - top;
      const weight = Math.exp(beta * below);
      sum += weight;
      first += weight * below;
      second += weight * below * below;
    }
    const mean = first / sum;
    const own = (logits[start + label] as number) - top;
    nll += Math.log(sum) - beta * own;
    slope += mean - own;
    curvature += second / sum - mean * mean;
  }
  const count = labels.length;
  return { nll: nll / count, slope: slope / count, curvature: curvature / count };
}

/** Logits of calibrated probabilities; argmax stays what it is. @param temperature null: none was fitted */
export function atTemperature(logits: Float32Array, temperature: number | null): Float32Array {
  return temperature === null ? logits : logits.map((value) => value / temperature);
}
