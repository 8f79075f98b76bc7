import { z } from "zod";
import { activations } from "../nn/activations.ts";
import type { GeneralOptions } from "../nn/index.ts";
import { norms } from "../nn/layer-choices.ts";
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
    .describe("Share of the features dropped in training; empty: none before batch normalisation, else as dropout"),
  norm: z
    .enum(norms)
    .default("none")
    .describe("Normalises hidden layers before the activation: each row, or each column by statistics of the batch"),
  residual: z
    .boolean()
    .default(false)
    .describe("Adds the input of hidden layers to what they compute, through a weight where the widths differ"),
};
export type StackOptions = z.infer<z.ZodObject<typeof stackOptions>>;

/**
 * What each layer is built from: the features' own dropout before the first; no activation, normalisation or residual
 * in the last, which gives the logits.
 */
export function stackedLayers(
  options: StackOptions & { readonly l2Normalize?: boolean },
  shape: ModelShape,
): readonly GeneralOptions[] {
  const { hiddenFeats, numLayers, activation, dropout, norm, residual, l2Normalize = false } = options;
  return layerDims(shape, hiddenFeats, numLayers).map(([inDim, outDim], index) => {
    const isHidden = index < numLayers - 1;
    return {
      index,
      inDim,
      outDim,
      seed: shape.seed,
      activation: isHidden ? activation : "none",
      dropout: index === 0 ? inputDropoutOf(options) : dropout,
      norm: isHidden ? norm : "none",
      residual: isHidden && residual,
      l2Normalize: isHidden && l2Normalize,
    };
  });
}

export function stackUsesDropout({ dropout, inputDropout }: Pick<StackOptions, "dropout" | "inputDropout">): boolean {
  return dropout > 0 || (inputDropout ?? 0) > 0;
}

/**
 * Features are dropped as the other inputs are, unless an option says otherwise. Not before batch normalisation: the
 * published models that have it drop between the layers only; docs/notes/accuracy.md has what dropping features cost.
 */
function inputDropoutOf({ inputDropout, dropout, norm, numLayers }: StackOptions): number {
  const isNormalized = norm === "batch" && numLayers > 1;
  return inputDropout ?? (isNormalized ? 0 : dropout);
}

/** Weights of such a model, `ofConv` of each convolution and those of normalisation and residuals. */
export function stackedParameters(
  { hiddenFeats, numLayers, norm, residual }: StackOptions,
  shape: Pick<ModelShape, "inDim" | "outDim">,
  ofConv: (inDim: number, outDim: number, isLast: boolean) => number,
): number {
  return layerDims(shape, hiddenFeats, numLayers).reduce((sum, [inDim, outDim], index) => {
    const isLast = index === numLayers - 1;
    // Scale and shift; behind batch normalisation the shift replaces the bias of the convolution.
    const ofNorm = isLast ? 0 : { none: 0, layer: 2 * outDim, batch: outDim }[norm];
    const ofSkip = isLast || !residual || inDim === outDim ? 0 : inDim * outDim;
    return sum + ofConv(inDim, outDim, isLast) + ofNorm + ofSkip;
  }, 0);
}
