import { GnnError } from "../../errors/gnn-error.ts";
import { keyedHash } from "../../random/keyed-order.ts";
import { corruptingTails, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

const salt = 0x6c697374;

/**
 * Takes targets from a list, such as a file of hard negatives: of the entries of each link `perLink` in a row, from a
 * place that depends on seed, epoch and link, so that epochs go through the list.
 *
 * @param targets int32 [training links · perRow], a row for each training link
 * @throws GnnError SPEC_INVALID when a link has fewer entries than negatives; SHAPE_MISMATCH for a row that is cut off
 */
export function listedTails(
  options: NegativeOptions & { readonly targets: Int32Array; readonly perRow: number },
): NegativeSampler {
  const { seed, perLink, targets, perRow } = options;
  if (perLink > perRow) {
    throw new GnnError("SPEC_INVALID", `${perLink} negatives per link are asked for and ${perRow} listed; list more.`);
  }
  if (targets.length % perRow !== 0) {
    throw new GnnError("SHAPE_MISMATCH", `${targets.length} targets are listed; expected ${perRow} for each link.`);
  }
  return corruptingTails(options, ({ batch: { ids, epoch }, place, j }) => {
    const id = ids[place] as number;
    const from = Math.floor((keyedHash(seed, salt, epoch, id) / 2 ** 32) * perRow);
    return targets[id * perRow + ((from + j) % perRow)] as number;
  });
}
