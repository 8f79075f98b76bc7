import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { activate } from "../nn/activate.ts";
import type { Activation } from "../nn/activations.ts";
import type { ForwardContext } from "../nn/model.ts";
import { makeOutputLayers } from "../nn/output-layers.ts";
import type { NamedVariable } from "../nn/variables.ts";
import { joinAllColumns } from "../ops/columns.ts";
import type { MakeReadout } from "./readouts/readout.ts";

/** What follows the encoder: nodes' rows to a graph's row, and that to the output. */
export interface GraphHead {
  /** Width of a graph's row */
  readonly embeddingDim: number;
  readonly variables: readonly NamedVariable[];
  /**
   * Rows of the graphs, float32 [graphs, dim]: their embedding. To be called inside `tidy`.
   *
   * @param rows float32 [nodes, dim], the encoder's output
   */
  embed(pool: Block, rows: Tensor2D): Tensor2D;
  /**
   * float32 [graphs, outDim]; to be called inside `tidy`.
   *
   * @param graphs by which dropout is drawn
   */
  apply(embedding: Tensor2D, graphs: Int32Array, context: ForwardContext): Tensor2D;
}

export interface GraphHeadOptions {
  readonly readouts: readonly MakeReadout[];
  /** Width of the encoder's output */
  readonly dim: number;
  readonly outDim: number;
  readonly seed: number;
  /** Behind the encoder's last layer, which has none */
  readonly activation: Activation;
  /** Width of the hidden layer; 0: none */
  readonly hiddenFeats: number;
  /** Share of the graphs' rows that is dropped in training */
  readonly dropout: number;
}

/**
 * z_g = W₂·act(W₁·h_g + b₁) + b₂, or W·h_g + b without a hidden layer, with h_g = ‖_r readout_r{ act(h_v) : v ∈ g }.
 * Its owner disposes the variables.
 */
export function makeGraphHead(options: GraphHeadOptions): GraphHead {
  const { readouts: makers, dim, outDim, seed, activation, hiddenFeats, dropout } = options;
  const readouts = makers.map((make, i) => named(make({ dim, seed }), i));
  const width = dim * readouts.length;
  const layers = makeOutputLayers({ inDim: width, outDim, seed, hiddenFeats, activation, dropout });
  const ofReadouts = readouts.flatMap(({ variables }) => variables);
  return {
    embeddingDim: width,
    variables: [...ofReadouts, ...layers.variables],
    embed: (pool, rows) =>
      tidy(() => {
        const activated = activate(rows, activation);
        const read = readouts.map((readout) => readout.read(pool, activated));
        return joinAllColumns(read);
      }),
    apply: layers.apply,
  };
}

/** Several readouts may have weights of the same names. */
function named(readout: ReturnType<MakeReadout>, i: number): ReturnType<MakeReadout> {
  const variables = readout.variables.map(({ name, variable }) => ({ name: `${name}.${i}`, variable }));
  return { ...readout, variables };
}
