/**
 * A model of one's own: each node sees how its neighbours differ from it, on average and at most.
 *   h_v = act([x_v ‖ mean{ x_u − x_v } ‖ max{ x_u − x_v }]·W + b), u ∈ N(v)
 *
 * One file, one exported `defineModel`: put it into a folder that the operator names and it appears in the catalogue,
 * the form and the jobs. It imports no tensors itself; `nn` brings them, so that the API can read the options without.
 */
import type { Nn, ParametricLayer } from "@hopwise/gnn-core";
import { defineModel } from "@hopwise/gnn-core/spec";
import { z } from "zod";

const options = z.strictObject({
  hiddenFeats: z.number().int().min(1).max(8192).default(64).describe("Width of the hidden layers and embeddings"),
  numLayers: z.number().int().min(1).max(8).default(2).describe("Hops; the sampler needs a fanout for each"),
  dropout: z.number().min(0).max(0.99).default(0.5).describe("Share of each layer's input dropped in training"),
});

export const difference = defineModel({
  name: "difference",
  version: 1,
  title: "Differences to neighbours",
  summary: "Each layer reads a node beside the mean and the maximum of its neighbours' differences to it.",
  options,
  numHops: ({ numLayers }) => numLayers,
  hiddenFeats: (chosen) => chosen.hiddenFeats,
  usesDropout: ({ dropout }) => dropout > 0,
  numParameters: ({ hiddenFeats, numLayers }, shape) =>
    widths(shape.inDim, hiddenFeats, shape.outDim, numLayers).reduce((sum, [i, o]) => sum + 3 * i * o + o, 0),
  create: ({ hiddenFeats, numLayers, dropout }, { inDim, outDim, seed }, nn) =>
    nn.sequential(
      widths(inDim, hiddenFeats, outDim, numLayers).map(([from, to], index) =>
        differenceLayer(nn, { index, from, to, seed, dropout, isLast: index === numLayers - 1 }),
      ),
      { usesNeighbors: true },
    ),
});

interface DifferenceOptions {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly seed: number;
  readonly dropout: number;
  readonly isLast: boolean;
}

function differenceLayer(nn: Nn, { index, from, to, seed, dropout, isLast }: DifferenceOptions): ParametricLayer {
  const { tf } = nn;
  const weight = nn.glorotUniform(`layers.${index}.weight`, 3 * from, to, seed);
  const bias = nn.zeros(`layers.${index}.bias`, to);
  return {
    outDim: to,
    variables: [weight, bias],
    forward: (block, x, context) =>
      tf.tidy(() => {
        const src = nn.toTensor(nn.dropout(x, block.srcIds, dropout, index, context));
        // The dst rows of a block are its first src rows.
        const own = tf.slice(src, [0, 0], [block.numDst, from]);
        const towards = (reduce: "mean" | "max") =>
          nn.updateAll(block, { src, dst: own }, (rows) => tf.sub(rows.src!, rows.dst!), reduce);
        const seen = tf.concat([own, towards("mean"), towards("max")], 1);
        const out = tf.add<typeof seen>(tf.matMul(seen, weight.variable), bias.variable);
        return nn.activate(out, isLast ? "none" : "relu");
      }),
    dispose: () => {
      weight.variable.dispose();
      bias.variable.dispose();
    },
  };
}

function widths(inDim: number, hidden: number, outDim: number, numLayers: number): (readonly [number, number])[] {
  return Array.from({ length: numLayers }, (_, i) => [i === 0 ? inDim : hidden, i === numLayers - 1 ? outDim : hidden]);
}
