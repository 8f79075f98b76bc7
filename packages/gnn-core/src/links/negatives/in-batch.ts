import type { NodeGroups } from "../node-groups.ts";
import type { NodePairs } from "../node-pairs.ts";
import { corruptingTails, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

/**
 * The targets of the next `perLink` links of the step that end in nodes of the same type, in its order: no row is
 * computed for a negative alone, and nodes come as often as they are targets. The batch is the global one, so several
 * ranks draw what one would. A link that alone ends in its type gets targets drawn uniformly.
 * Henderson et al. 2017 (arXiv:1705.00652), section 4.4, of the other links a part.
 */
export function inBatchTails(options: NegativeOptions): NegativeSampler {
  const { groups = null } = options;
  let last: { readonly links: NodePairs; readonly targets: TargetsByType } | null = null;
  return corruptingTails(options, ({ batch: { links }, place, j }) => {
    if (last?.links !== links) last = { links, targets: targetsByType(links, groups) };
    const { listOf, placeOf } = last.targets;
    const list = listOf(place);
    return list[((placeOf[place] as number) + 1 + j) % list.length] as number;
  });
}

/** The targets of a batch, those of each type in the order of the links */
interface TargetsByType {
  /** Targets of the type of a link's own */
  readonly listOf: (place: number) => readonly number[];
  /** Where each link's target stands in its list */
  readonly placeOf: Int32Array;
}

function targetsByType({ dst }: NodePairs, groups: NodeGroups | null): TargetsByType {
  const typeOf = (node: number) => groups?.typeOf(node) ?? 0;
  const lists = Array.from({ length: groups?.numTypes ?? 1 }, (): number[] => []);
  const placeOf = dst.map((node) => (lists[typeOf(node)] as number[]).push(node) - 1);
  return { placeOf, listOf: (place) => lists[typeOf(dst[place] as number)] as number[] };
}
