import { z } from "zod";
import { activations } from "../nn/activations.ts";
import type { LayerOptions } from "../nn/index.ts";
import type { ModelShape } from "../nn/model.ts";
import { layerDims } from "./layer-dims.ts";

/** Options that every model of layers in a row has, in the order of the form. */
export const stackOptions = {
  hiddenFeats: z.number().int().min(1).max(8192).default(256).describe("Width of the hidden layers and embeddings"),
  numLayers: z.number().int().min(1).max(8).default(2).describe("Hops; the sampler needs a fanout for each"),
  activation: z.enum(activations).default("relu").describe("Between layers"),
  dropout: z.number().min(0).max(0.99).default(0.5).describe("Share of each hidden layer's input dropped in training"),
  inputDropout: z
    .number()
    .min(0)
    .max(0.99)
    .nullable()
    .default(null)
    .describe("Share of the features dropped in training; empty: the same as dropout"),
};
export type StackOptions = z.infer<z.ZodObject<typeof stackOptions>>;

/** What each layer is built from: no activation after the last, the features' own dropout before the first. */
export function stackedLayers(options: StackOptions, shape: ModelShape): readonly LayerOptions[] {
  const { hiddenFeats, numLayers, activation, dropout, inputDropout } = options;
  return layerDims(shape, hiddenFeats, numLayers).map(([inDim, outDim], index) => ({
    index,
    inDim,
    outDim,
    seed: shape.seed,
    activation: index === numLayers - 1 ? "none" : activation,
    dropout: index === 0 ? (inputDropout ?? dropout) : dropout,
  }));
}
