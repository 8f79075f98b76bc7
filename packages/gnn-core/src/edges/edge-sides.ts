import { GnnError } from "../errors/gnn-error.ts";
import { type LinksOfRows, linksOfRows } from "../graph/links-of-rows.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { sidesOf } from "../links/link-sides.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import type { LinkSplitChoice } from "../spec/link-split.ts";

/** What the dataset says of the sides of its edges */
export interface GivenSides {
  /** int8 [edges], one of `splitCode`; null: it does not say */
  readonly split: Int8Array | null;
  /** int32 [edges]; null: edges have no times */
  readonly times: Int32Array | null;
}

/**
 * The side of every labelled edge. Drawn at random, all edges that join the same two nodes, in either direction, go to
 * one side, for their labels tell of each other; by time or as given each goes where its own row says.
 *
 * @returns int8 [edges], one of `splitCode`
 * @throws GnnError SPEC_INVALID with the pointer of what the dataset does not say; TRAIN_NO_LABELS
 */
export async function edgeSides(
  edges: NodePairs,
  numNodes: number,
  choice: LinkSplitChoice,
  { split, times }: GivenSides,
): Promise<Int8Array> {
  if (choice.type === "given") {
    if (!split) throw unsaid("which side its edges are on");
    if (!split.includes(splitCode.train)) {
      throw new GnnError("TRAIN_NO_LABELS", "No edge is on the training side; correct the split column of the edges.");
    }
    if (choice.val === undefined) return split;
    return sidesOf(rowsAlone(edges), { type: "column", split, val: choice.val });
  }
  if (choice.type === "time") {
    if (!times) throw unsaid("when its edges came to be");
    return sidesOf(rowsAlone(edges), { ...choice, times });
  }
  const links = await linksOfRows(edges, numNodes);
  const sides = sidesOf(links, choice);
  return Int8Array.from(links.linkOf, (link) => sides[link] as number);
}

/** Each row as a link of its own. */
function rowsAlone({ src, dst }: NodePairs): LinksOfRows {
  return { numLinks: src.length, low: src, high: dst, linkOf: src.map((_, row) => row) };
}

function unsaid(what: string): GnnError {
  const pointer = "/task/split";
  const message = `${pointer}: the graph does not say ${what}; map the column and build it again, or split at random.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
