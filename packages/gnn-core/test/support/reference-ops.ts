/** The ops again, straight from their formulas, in double precision and with plain loops. */
import type { Block } from "../../src/graph/block.ts";

export type Doubles = Float64Array;

export function matMul(rows: number, inDim: number, outDim: number, a: Doubles, b: Doubles): Doubles {
  const out = new Float64Array(rows * outDim);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inDim; k++) {
      const factor = a[i * inDim + k] as number;
      for (let j = 0; j < outDim; j++) {
        out[i * outDim + j] = (out[i * outDim + j] as number) + factor * (b[k * outDim + j] as number);
      }
    }
  }
  return out;
}

export function mean(block: Block, dim: number, x: Doubles): Doubles {
  const out = new Float64Array(block.numDst * dim);
  for (let v = 0; v < block.numDst; v++) {
    const neighbours = block.indices.subarray(block.indptr[v], block.indptr[v + 1]);
    for (let d = 0; d < dim; d++) {
      const sum = neighbours.reduce((total, u) => total + (x[u * dim + d] as number), 0);
      out[v * dim + d] = neighbours.length === 0 ? 0 : sum / neighbours.length;
    }
  }
  return out;
}

export function relu(x: Doubles): Doubles {
  return x.map((value) => Math.max(value, 0));
}

export function addBias(x: Doubles, bias: Doubles): Doubles {
  return x.map((value, i) => value + (bias[i % bias.length] as number));
}

export function sageConv(
  block: Block,
  inDim: number,
  outDim: number,
  { x, weightSelf, weightNeigh, bias }: Record<"x" | "weightSelf" | "weightNeigh" | "bias", Doubles>,
): Doubles {
  const own = matMul(block.numDst, inDim, outDim, x, weightSelf);
  const neighbours = matMul(block.numDst, inDim, outDim, mean(block, inDim, x), weightNeigh);
  return addBias(
    own.map((value, i) => value + (neighbours[i] as number)),
    bias,
  );
}

export function crossEntropySum(classes: number, logits: Doubles, labels: Int32Array, weights: Float32Array): number {
  let loss = 0;
  for (const [i, label] of labels.entries()) {
    if (label < 0) continue;
    const row = logits.subarray(i * classes, (i + 1) * classes);
    const logSum = Math.log(row.reduce((sum, value) => sum + Math.exp(value), 0));
    loss += (weights[i] as number) * (logSum - (row[label] as number));
  }
  return loss;
}
