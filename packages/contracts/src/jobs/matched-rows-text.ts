import type { MatchedRowsInfo } from "@hopwise/gnn-core/spec";

type Unseen = Pick<MatchedRowsInfo, "numUnseen" | "unseenIds" | "withoutRow">;

const shownLength = 40;

const computedFrom = {
  nothing: "zeros, for the model reads nothing else of a node",
  neighbors: "computed from the neighbours alone, with zeros in place of a row of its own",
  features: "computed from features and neighbours, with zeros in place of the learned row",
} satisfies Record<MatchedRowsInfo["withoutRow"], string>;

/**
 * What is to be known of the nodes of a graph that a model has no learned row of, in a sentence with the first of their
 * ids.
 */
export function matchedRowsText({ numUnseen, unseenIds, withoutRow }: Unseen): string {
  if (numUnseen === 0) return "The model has a learned row of every node that takes one.";
  const shown = unseenIds.map((id) => (id.length > shownLength ? `${id.slice(0, shownLength)}…` : id));
  const ids = [...shown, ...(numUnseen > shown.length ? ["…"] : [])].join(", ");
  const nodes = numUnseen === 1 ? "1 node" : `${numUnseen} nodes`;
  return `The model has no learned row of ${nodes} (${ids}). What comes of such a node is ${computedFrom[withoutRow]}.`;
}
