import { z } from "zod";
import { stackOptions } from "./stacked-layers.ts";

/** How many attention heads a layer has. */
export const headCount = z.number().int().min(1).max(64);

export function negativeSlope(byDefault: number) {
  return z.number().min(0).max(1).default(byDefault).describe("Slope below zero of the leaky ReLU on attention scores");
}

/** Options of layers of relations with attention: hidden layers concatenate their heads, the last one averages them. */
export const relationHeadOptions = {
  ...stackOptions,
  hiddenFeats: stackOptions.hiddenFeats.default(64).describe("Width of hidden layers, all heads together"),
  heads: headCount.default(4).describe("Attention heads of the hidden layers; must divide their width"),
  outHeads: headCount.default(1).describe("Attention heads of the last layer, which are averaged"),
  activation: stackOptions.activation.default("elu"),
};

interface LayerHeads {
  readonly numLayers: number;
  readonly hiddenFeats: number;
  readonly heads: number;
  readonly outHeads: number;
}

/** Heads of one layer of such a stack. */
export function headsOfLayer({ numLayers, heads, outHeads }: LayerHeads, index: number) {
  return index === numLayers - 1
    ? ({ heads: outHeads, merge: "mean" } as const)
    : ({ heads, merge: "concat" } as const);
}

/** Says so at the width of hidden layers, if there are any whose heads do not divide it. */
export function requireHiddenWidth({ numLayers, hiddenFeats, heads }: LayerHeads, context: z.RefinementCtx): void {
  if (numLayers >= 2) requireSharedWidth(hiddenFeats, heads, context);
}

/** Says at the width that the heads which share it do not divide it, if so. */
export function requireSharedWidth(width: number, heads: number, context: z.RefinementCtx): void {
  if (width % heads === 0) return;
  const message = `${width} is a width that ${heads} heads cannot share evenly; choose a multiple of the heads`;
  context.addIssue({ code: "custom", path: ["hiddenFeats"], message });
}
