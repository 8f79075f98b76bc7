import { noPairs } from "../node-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

/** No pairs: for a loss that tells each link from all nodes. */
export function noNegatives(): NegativeSampler {
  return { perLink: 0, draw: () => noPairs };
}
