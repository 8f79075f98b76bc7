import { type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { TypedInput } from "../graph/typed-input.ts";
import { addActivate } from "../ops/add-activate.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { project } from "../ops/project.ts";
import type { ParametricLayer } from "./index.ts";
import type { BatchNormCut, LayerInput } from "./model.ts";
import { glorotUniform, type NamedVariable, zeros } from "./variables.ts";

export interface TypedInputOptions {
  readonly inDim: number;
  /** Columns of the projected rows */
  readonly outDim: number;
  readonly seed: number;
  readonly input: TypedInput;
}

/**
 * A first layer on nodes whose types have features of their own: every src row is brought to the same columns before
 * the layer reads it.
 *   h_v = W_type(v)·x_v + b_type(v), and where the type has no features h_v = e_v + b_type(v) with a learned row e_v
 * As in the input layer of R-GCN, HAN, HGT and Simple-HGN in HGB (Lv et al. 2021, arXiv:2112.14936).
 *
 * The columns of types lie side by side, so that W is one matrix [inDim, outDim]; each type has rows of its own.
 *
 * forward(block, x, context): x as of the layer, [block.numSrc, inDim]; row i belongs to block.srcIds[i].
 */
export function withTypedInput(options: TypedInputOptions, layer: ParametricLayer): ParametricLayer {
  const { variables, rowsOf } = projection(options);
  const { batchNorm: cut } = layer;
  return {
    outDim: layer.outDim,
    variables: [...variables, ...layer.variables],
    ...(layer.outputBias && { outputBias: layer.outputBias }),
    ...(layer.buffers && { buffers: layer.buffers }),
    ...(layer.keepsSigns && { keepsSigns: true }),
    forward: (block, x, context) => tidy(() => layer.forward(block, rowsOf(block, x), context)),
    ...(cut && { batchNorm: cutBehind(cut, rowsOf) }),
    dispose: () => {
      layer.dispose();
      for (const { variable } of variables) variable.dispose();
    },
  };
}

type RowsOf = (block: Block, x: LayerInput) => Tensor2D;

function cutBehind(cut: BatchNormCut, rowsOf: RowsOf): BatchNormCut {
  return {
    ...cut,
    before: (block, x, context) => tidy(() => cut.before(block, rowsOf(block, x), context)),
    after: (block, x, z, statistics, context) => tidy(() => cut.after(block, rowsOf(block, x), z, statistics, context)),
  };
}

function projection({ inDim, outDim, seed, input }: TypedInputOptions): {
  readonly variables: readonly NamedVariable[];
  readonly rowsOf: RowsOf;
} {
  const numTypes = input.types.length;
  const weight = glorotUniform("input.weight", inDim, outDim, seed, (row) => columnsBeside(row, inDim, input));
  const bias = zeros("input.bias", numTypes * outDim);
  // Its limit is 1/√outDim, as of the rows that features.embedding learns.
  const learned = input.numLearned > 0 ? glorotUniform("input.rows", input.numLearned, outDim, seed, 5 * outDim) : null;
  return {
    variables: [weight, bias, ...(learned ? [learned] : [])],
    rowsOf: (block, x) =>
      tidy(() => {
        const types = block.srcIds.map((node) => input.codes[node] as number);
        const biases = gatherRows(reshape<Rank.R2>(bias.variable, [numTypes, outDim]), types);
        const projected = addActivate(project(x, weight.variable), biases, "none");
        if (learned === null) return projected;
        return addActivate(projected, project(ownRows(block.srcIds, input), learned.variable), "none");
      }),
  };
}

/** Columns of the type that a column is of; of none: those made from the edges, which all types share. */
function columnsBeside(column: number, inDim: number, { types }: TypedInput): number {
  const own = types.find(({ first, dim }) => column >= first && column < first + dim);
  return own?.dim ?? inDim - types.reduce((sum, { dim }) => sum + dim, 0);
}

/** A row for each node, with a one in the column of its learned row, if it has one. */
function ownRows(nodes: Int32Array, { learnedRow, numLearned }: TypedInput): FeatureRows {
  const indptr = new Int32Array(nodes.length + 1);
  const indices = new Int32Array(nodes.length);
  let end = 0;
  for (const [row, node] of nodes.entries()) {
    const learned = learnedRow[node] as number;
    if (learned >= 0) indices[end++] = learned;
    indptr[row + 1] = end;
  }
  const values = new Float32Array(end).fill(1);
  return { kind: "csr", numRows: nodes.length, dim: numLearned, indptr, indices: indices.subarray(0, end), values };
}
