import type { GraphInfo, ResolvedTask } from "@hopwise/gnn-core/spec";
import { type Changes, withChanges } from "../settings.ts";

/** What the trials of a search are laid over. */
export interface SearchBasis {
  readonly spec: Changes;
  /** What was set for the search, in sentences */
  readonly words: readonly string[];
}

/** Share of what is learnt from that is held out to choose by */
const heldOut = 0.2;
const heldOutLinks = 0.1;

/**
 * The spec as it was sent, and what a search needs beside it: a split where the dataset has none, and something to
 * choose by where its split holds out nothing but a test set.
 */
export function searchBasis(sent: Changes, { component, options }: Asked, info: GraphInfo): SearchBasis {
  switch (component.seeds) {
    case "nodes":
      return ofRows(sent, info.splits, "nodes");
    case "graphs":
      return options["testFold"] != null || !info.graphs ? asSent(sent) : ofRows(sent, info.graphs.splits, "graphs");
    case "edges":
    case "edgeRows":
      return ofEdges(sent, options, info);
    default:
      return asSent(sent);
  }
}

type Asked = Pick<ResolvedTask, "component" | "options">;

function asSent(spec: Changes): SearchBasis {
  return { spec, words: [] };
}

function ofRows(sent: Changes, splits: GraphInfo["splits"], what: string): SearchBasis {
  const { split } = sent as { readonly split?: Changes };
  const isGiven = split === undefined || split["type"] === "column";
  if (!isGiven) return asSent(sent);
  if (split === undefined && splits.train === 0) {
    return {
      spec: { ...sent, split: { type: "random" } },
      words: [`The dataset has no split, so that one is drawn: 60 % of the ${what} train, 20 % choose, 20 % test.`],
    };
  }
  if (splits.val > 0 || splits.train === 0 || split?.["val"] !== undefined) return asSent(sent);
  return {
    spec: { ...sent, split: { type: "column", ...split, val: heldOut } },
    words: [`The dataset holds out no ${what} to choose by, so that a fifth of the training ${what} is (split.val).`],
  };
}

/** How many links a column puts on a side is not counted: the share is for those of which none is held out. */
function ofEdges(sent: Changes, options: Changes, { edgeRows }: GraphInfo): SearchBasis {
  const split = options["split"] as { readonly type: string; readonly val?: number };
  if (split.type !== "given" || split.val !== undefined || (edgeRows?.splits?.val ?? 0) > 0) return asSent(sent);
  return {
    spec: withChanges(sent, { "task.split": { ...split, val: heldOutLinks } }),
    words: ["Where the dataset holds out no edges to choose by, a tenth of those that train is (task.split.val)."],
  };
}
