import { mul, sub, sum, type Tensor2D, tensor2d, tfjs, tidy } from "../backends/tf.ts";
import { argMax } from "../tasks/metrics.ts";
import { minimize } from "./minimize.ts";

export interface ProbeRows {
  /** float32 [numNodes, dim] */
  readonly rows: Float32Array;
  readonly dim: number;
}

export interface ProbeNodes {
  /** int32 [numNodes], -1 = unlabelled */
  readonly labels: Int32Array;
  readonly numClasses: number;
  readonly train: Int32Array;
  readonly val: Int32Array;
  readonly test: Int32Array;
}

/** Share of the nodes of each split that are told right; null: it has none, or there is nothing to tell apart */
export interface ProbeAccuracy {
  readonly val: number | null;
  readonly test: number | null;
}

/** Penalties that are tried, strongest first */
const penalties = [1, 0.1, 0.01, 0.001, 0.0001];
const iterations = 100;
/** Training nodes that are looked at; of more, the first of these many by id are enough for a linear model. */
const mostTrainNodes = 20_000;
const batchRows = 8192;

/**
 * How much a linear model reads of the classes from rows that it did not make: multinomial logistic regression on the
 * frozen rows, each brought to length 1,
 *   min_W,b  1/n·Σ_v −log softmax(W·x_v + b)[y_v] + λ/2·‖W‖²
 * by L-BFGS from zero, so that nothing is drawn. λ is the one of five that tells the validation nodes best, the
 * strongest where several do; without validation nodes the middle one. Test nodes are told once, by that model.
 */
export function linearProbe({ rows, dim }: ProbeRows, nodes: ProbeNodes): ProbeAccuracy {
  const train = nodes.train.subarray(0, mostTrainNodes);
  const classes = new Set(Array.from(train, (node) => nodes.labels[node]));
  if (classes.size < 2) return { val: null, test: null };
  const known = unitRows(rows, dim, train);
  const targets = oneHotRows(train, nodes);
  const accuracyOf = (weights: Float64Array, of: Int32Array) => accuracy(weights, { rows, dim }, nodes, of);
  const fit = (penalty: number) => fitRegression({ known, targets, dim, numClasses: nodes.numClasses, penalty });
  if (nodes.val.length === 0) {
    const weights = fit(penalties[Math.floor(penalties.length / 2)] as number);
    return { val: null, test: accuracyOf(weights, nodes.test) };
  }
  let best: { val: number; weights: Float64Array } | null = null;
  for (const penalty of penalties) {
    const weights = fit(penalty);
    const val = accuracyOf(weights, nodes.val) as number;
    if (!best || val > best.val) best = { val, weights };
  }
  const { val, weights } = best as NonNullable<typeof best>;
  return { val, test: accuracyOf(weights, nodes.test) };
}

interface Regression {
  readonly known: Float32Array;
  readonly targets: Float32Array;
  readonly dim: number;
  readonly numClasses: number;
  readonly penalty: number;
}

/** @returns float64 [(dim + 1) · numClasses]: the weights of each column, then the biases */
function fitRegression({ known, targets, dim, numClasses, penalty }: Regression): Float64Array {
  const numRows = known.length / dim;
  const x = tensor2d(known, [numRows, dim]);
  const y = tensor2d(targets, [numRows, numClasses]);
  const found = minimize(new Float64Array((dim + 1) * numClasses), iterations, (weights) => {
    const gradient = new Float64Array(weights.length);
    let value = 0;
    // Nothing is returned from tidy, which would walk through every number of it.
    tidy(() => {
      const logits = logitsOf(weights, x, dim, numClasses);
      value = -(sum(mul(tfjs.logSoftmax(logits), y)).dataSync<"float32">()[0] as number) / numRows;
      const residual = sub<Tensor2D>(tfjs.softmax(logits), y);
      gradient.set(tfjs.matMul(x, residual, true, false).dataSync<"float32">());
      gradient.set(sum(residual, 0).dataSync<"float32">(), dim * numClasses);
    });
    for (let i = 0; i < gradient.length; i++) {
      const weight = i < dim * numClasses ? (weights[i] as number) : 0;
      gradient[i] = (gradient[i] as number) / numRows + penalty * weight;
      value += (penalty / 2) * weight * weight;
    }
    return { value, gradient };
  });
  x.dispose();
  y.dispose();
  return found;
}

function logitsOf(weights: Float64Array, x: Tensor2D, dim: number, numClasses: number): Tensor2D {
  const w = tensor2d(Float32Array.from(weights.subarray(0, dim * numClasses)), [dim, numClasses]);
  const b = tensor2d(Float32Array.from(weights.subarray(dim * numClasses)), [1, numClasses]);
  return tfjs.add(tfjs.matMul(x, w), b);
}

function accuracy(weights: Float64Array, { rows, dim }: ProbeRows, nodes: ProbeNodes, of: Int32Array): number | null {
  if (of.length === 0) return null;
  let right = 0;
  for (let start = 0; start < of.length; start += batchRows) {
    const batch = of.subarray(start, start + batchRows);
    tidy(() => {
      const x = tensor2d(unitRows(rows, dim, batch), [batch.length, dim]);
      const logits = logitsOf(weights, x, dim, nodes.numClasses).dataSync<"float32">();
      for (const [i, node] of batch.entries())
        right += Number(argMax(logits, i, nodes.numClasses) === nodes.labels[node]);
    });
  }
  return right / of.length;
}

/** The rows of some nodes, each of length 1; a row of zeros stays. */
function unitRows(rows: Float32Array, dim: number, nodes: Int32Array): Float32Array {
  const unit = new Float32Array(nodes.length * dim);
  for (const [i, node] of nodes.entries()) {
    const row = rows.subarray(node * dim, (node + 1) * dim);
    const length = Math.sqrt(row.reduce((squares, value) => squares + value * value, 0));
    if (length > 0) for (let c = 0; c < dim; c++) unit[i * dim + c] = (row[c] as number) / length;
  }
  return unit;
}

function oneHotRows(nodes: Int32Array, { labels, numClasses }: ProbeNodes): Float32Array {
  const targets = new Float32Array(nodes.length * numClasses);
  for (const [i, node] of nodes.entries()) targets[i * numClasses + (labels[node] as number)] = 1;
  return targets;
}
