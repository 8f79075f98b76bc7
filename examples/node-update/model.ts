/**
 * The model of the DGL tutorial "Training GNNs using multiple GPUs", for whole graphs and for sampled blocks alike:
 *   h_v = act(W·mean{ x_u : u ∈ N(v) } + b)
 */
import { type Block, type ForwardContext, type GnnModel, type LayerInput, type Nn, nn } from "@hopwise/gnn-core";

export interface GnnOptions {
  readonly inFeats: number;
  readonly numHidden: number;
  readonly numClasses: number;
  readonly numLayers: number;
  readonly dropout: number;
}

export function gnn({ inFeats, numHidden, numClasses, numLayers, dropout }: GnnOptions): GnnModel {
  const layers = Array.from({ length: numLayers }, (_, index) => {
    const isLast = index === numLayers - 1;
    const from = index === 0 ? inFeats : numHidden;
    const to = isLast ? numClasses : numHidden;
    return nodeUpdate({ index, from, to, dropout, activation: isLast ? "none" : "relu" });
  });
  return nn.sequential(layers, { usesNeighbors: true });
}

interface NodeUpdateOptions {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly dropout: number;
  readonly activation: Parameters<Nn["activate"]>[1];
}

/** Message: the source's row. Reduce: mean. Apply: linear, then the activation. */
function nodeUpdate({ index, from, to, dropout, activation }: NodeUpdateOptions) {
  const { tf } = nn;
  const weight = nn.glorotUniform(`layers.${index}.weight`, from, to, 0);
  const bias = nn.zeros(`layers.${index}.bias`, to);
  return {
    outDim: to,
    variables: [weight, bias],
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tf.tidy(() => {
        const src = nn.toTensor(nn.dropout(x, block.srcIds, dropout, index, context));
        const mean = nn.updateAll(block, { src }, "copySrc", "mean");
        return nn.activate(tf.add<typeof mean>(tf.matMul(mean, weight.variable), bias.variable), activation);
      }),
    dispose: () => {
      weight.variable.dispose();
      bias.variable.dispose();
    },
  };
}
