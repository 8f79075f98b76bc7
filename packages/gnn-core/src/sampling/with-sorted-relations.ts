import { relationsOf } from "../graph/block-relations.ts";
import type { Sampler } from "./sampler.ts";

/**
 * The sampler, whose batches have the edges of their blocks sorted by relation while they are ahead of their step: it
 * would have to wait for that otherwise.
 */
export function withSortedRelations(sampler: Sampler, numRelations: number): Sampler {
  return {
    ...sampler,
    async arrange(blocks) {
      for (const block of blocks) if (block.types) await relationsOf(block, numRelations).sortAhead();
    },
  };
}
