import { fullSampler } from "../sampling/full.sampler.ts";
import type { Sampler, SamplerContext } from "../sampling/sampler.ts";
import type { GraphSet } from "../whole-graphs/graph-set.ts";
import { wholeGraphSampler } from "../whole-graphs/whole-graph-sampler.ts";

/**
 * What gives batches of whole graphs. Where each rank holds its own part, columns of others have to be asked for, as
 * the sampler of all neighbours does; the bits are equal.
 */
export async function samplerOfGraphs(
  set: GraphSet,
  { numHops, seed }: Pick<SamplerContext, "numHops" | "seed">,
): Promise<Sampler> {
  const { graph } = set;
  if (!graph.remote) return wholeGraphSampler(set, numHops);
  return numHops === 0 ? { sample: async () => [] } : fullSampler.create({}, { graph, numHops, seed });
}
