import type { GraphFolds } from "../components/define-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { splitCode } from "../graph/split-nodes.ts";

/**
 * The split of one fold of cross-validation: graphs of the tested fold, of the one that chooses the best epoch, and all
 * others that are in a fold, which are learnt from.
 *
 * @param folds int32 fold of each graph, -1 = in none
 * @param names of the folds
 * @returns int8 [numGraphs]
 * @throws GnnError SPEC_INVALID for a fold that there is not, or two that are one
 */
export function splitByFolds(folds: Int32Array, names: readonly string[], { test, val }: GraphFolds): Int8Array {
  const tested = indexOf(names, test, "testFold");
  const judged = val === null ? (tested + 1) % names.length : indexOf(names, val, "valFold");
  if (tested === judged) throw refused("valFold", `fold "${test}" cannot be tested and choose the best epoch`);
  return Int8Array.from(folds, (fold) => {
    if (fold < 0) return splitCode.none;
    if (fold === tested) return splitCode.test;
    return fold === judged ? splitCode.val : splitCode.train;
  });
}

function indexOf(names: readonly string[], name: string, option: string): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  throw refused(option, `there is no fold "${name}"; there are ${names.slice(0, 20).join(", ") || "none"}`);
}

function refused(option: string, found: string): GnnError {
  const pointer = `/task/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
