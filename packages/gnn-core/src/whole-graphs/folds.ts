import { GnnError } from "../errors/gnn-error.ts";
import { splitCode } from "../graph/split-nodes.ts";
import type { GraphSet } from "./graph-set.ts";

/** Ids of the graphs on each side of one fold, as files of splits list them. */
export interface Fold {
  readonly train: readonly (string | number)[];
  readonly test: readonly (string | number)[];
  /** Graphs that choose the best epoch; left out: none */
  readonly validation?: readonly (string | number)[];
}

const sides = { train: splitCode.train, validation: splitCode.val, test: splitCode.test } as const;

/**
 * The split of one fold; graphs that it does not name have none.
 *
 * @returns int8 [numGraphs], for `GraphLearning`
 * @throws GnnError DATASET_NODE_UNKNOWN for an id that is no graph's, DATASET_DUPLICATE for one that is named twice,
 * each with side and place in the list (`place.field`, `place.line` from 1)
 */
export function splitOfFold(fold: Fold, { ids }: Pick<GraphSet, "ids">): Int8Array {
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const split = new Int8Array(ids.length);
  for (const side of ["train", "validation", "test"] as const) {
    for (const [i, id] of (fold[side] ?? []).entries()) {
      const place = { field: side, line: i + 1 };
      const row = rowOf.get(String(id));
      if (row === undefined) {
        const message = `Entry ${i + 1} of ${side} is "${id}", which is no graph; expected ids such as "${ids[0]}".`;
        throw new GnnError("DATASET_NODE_UNKNOWN", message, { place });
      }
      if (split[row] !== splitCode.none) {
        const message = `Entry ${i + 1} of ${side}, graph "${id}", is named before; expected each graph on one side once.`;
        throw new GnnError("DATASET_DUPLICATE", message, { place });
      }
      split[row] = sides[side];
    }
  }
  return split;
}
