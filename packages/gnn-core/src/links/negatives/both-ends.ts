import { corrupting, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

/**
 * Replaces targets and sources in turn by nodes of their type drawn uniformly: u → v', u' → v, u → v' …
 * Bordes et al. 2013, Translating Embeddings, equation 2.
 */
export function bothEnds(options: NegativeOptions): NegativeSampler {
  return corrupting(options, ({ j }, drawn) => {
    const end = j % 2 === 0 ? "dst" : "src";
    return { end, node: drawn(end) };
  });
}
