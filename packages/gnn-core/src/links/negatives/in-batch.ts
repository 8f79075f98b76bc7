import { corruptingTails, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

/**
 * The targets of the next `perLink` links of the step, in its order: no row is computed for a negative alone, and nodes
 * come as often as they are targets. The batch is the global one, so several ranks draw what one would.
 * Henderson et al. 2017 (arXiv:1705.00652), section 4.4, of the other links a part.
 */
export function inBatchTails(options: NegativeOptions): NegativeSampler {
  return corruptingTails(options, ({ batch: { links }, place, j }) => {
    return links.dst[(place + 1 + j) % links.dst.length] as number;
  });
}
