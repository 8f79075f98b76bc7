import { drawLike } from "../draw-node.ts";
import { corruptingTails, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

const salt = 0x6a6f696e;

/**
 * One set of `perLink` targets for all links of a step, of each type of target its own: a batch has few rows more than
 * its links have. A target that a link's source is linked with is replaced by one of the link's own.
 * GraphStorm: JointUniform; DGL-KE's chunked negatives (Zheng et al. 2020, arXiv:2004.08532, section 3.3).
 */
export function jointTails(options: NegativeOptions): NegativeSampler {
  const { seed, seen, groups = null } = options;
  const pool = { numNodes: seen.numNodes, groups };
  return corruptingTails(options, ({ batch: { links, epoch, step }, place, j }) =>
    drawLike(links.dst[place] as number, pool, seed, salt, epoch, step, j),
  );
}
