import { corrupting, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

/**
 * Replaces the target by a node of its type drawn uniformly: u → v becomes u → v', v' ∈ V_type(v).
 * Bordes et al. 2013, Translating Embeddings, equation 2, one side of it.
 */
export function uniformTail(options: NegativeOptions): NegativeSampler {
  return corrupting(options, (_draw, drawn) => ({ end: "dst", node: drawn("dst") }));
}
