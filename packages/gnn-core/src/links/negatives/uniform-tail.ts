import { corrupting, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

/**
 * Replaces the target by a node drawn uniformly: u → v becomes u → v', v' ∈ V.
 * Bordes et al. 2013, Translating Embeddings, equation 2, one side of it.
 */
export function uniformTail(options: NegativeOptions): NegativeSampler {
  return corrupting(options, (_draw, uniform, attempt) => ({ end: "dst", node: uniform(attempt) }));
}
