import { type GraphInfo, numFolds, type ResolvedTask } from "@hopwise/gnn-core/spec";
import { type Changes, withChanges } from "../settings.ts";
import type { SearchState } from "./search-state.ts";

/** What the trials of a search are laid over. */
export interface SearchBasis {
  readonly spec: Changes;
  /** What was set for the search, in sentences */
  readonly words: readonly string[];
  /** Each seed is judged by another of so many shares of the training rows; 1: all by the same rows. */
  readonly numFolds: number;
  /** Rows that a trial is judged by; null: they are not counted before the split is drawn */
  readonly numRows: number | null;
}

/** Share of what is learnt from that is held out to choose by */
const heldOut = 0.2;
const heldOutLinks = 0.1;
/**
 * So few rows to choose by tell settings apart badly: of 100 the accuracy has a standard error of 4 points. More rows
 * say enough, and the parts of so many edges are not made for each fold anew.
 */
const fewRows = 1000;
const mostEdges = 10_000_000;

/**
 * The spec as it was sent, and what a search needs beside it: a split where the dataset has none, and something to
 * choose by where its split holds out nothing but a test set.
 */
export function searchBasis(sent: Changes, { component, options }: Asked, info: GraphInfo): SearchBasis {
  switch (component.seeds) {
    case "nodes":
      return ofRows(sent, info, info.splits, "nodes");
    case "graphs":
      return options["testFold"] != null || !info.graphs
        ? asSent(sent)
        : ofRows(sent, info, info.graphs.splits, "graphs");
    case "edges":
    case "edgeRows":
      return ofEdges(sent, options, info);
    default:
      return asSent(sent);
  }
}

/** What a trial's seed changes of the rows that it is judged by. */
export function foldOf({ firstSeed, numFolds }: Pick<SearchState, "firstSeed" | "numFolds">, seed: number): Changes {
  const fold = (seed - firstSeed) % numFolds;
  return fold === 0 ? {} : { "split.valFold": fold };
}

type Asked = Pick<ResolvedTask, "component" | "options">;

function asSent(spec: Changes, numRows: number | null = null): SearchBasis {
  return { spec, words: [], numFolds: 1, numRows };
}

function ofRows(sent: Changes, { numEdges }: GraphInfo, splits: GraphInfo["splits"], what: string): SearchBasis {
  const { split } = sent as { readonly split?: Changes };
  const isGiven = split === undefined || split["type"] === "column";
  if (!isGiven) return asSent(sent);
  if (split === undefined && splits.train === 0) {
    return {
      spec: { ...sent, split: { type: "random" } },
      words: [`The dataset has no split, so that one is drawn: 60 % of the ${what} train, 20 % choose, 20 % test.`],
      numFolds: 1,
      numRows: null,
    };
  }
  if (splits.val > 0) return asSent(sent, splits.val);
  if (splits.train === 0 || split?.["val"] !== undefined) return asSent(sent);
  const words = `The dataset holds out no ${what} to choose by, so that a fifth of the training ${what} is (split.val)`;
  const areFew = splits.train * heldOut < fewRows && numEdges <= mostEdges;
  return {
    spec: { ...sent, split: { type: "column", ...split, val: heldOut } },
    words: [areFew ? `${words}: another fifth for each seed, as there are few (split.valFold).` : `${words}.`],
    numFolds: areFew ? numFolds(heldOut) : 1,
    numRows: Math.round(splits.train * heldOut),
  };
}

/** How many links a column puts on a side is not counted: the share is for those of which none is held out. */
function ofEdges(sent: Changes, options: Changes, { edgeRows }: GraphInfo): SearchBasis {
  const split = options["split"] as { readonly type: string; readonly val?: number };
  if (split.type !== "given" || split.val !== undefined || (edgeRows?.splits?.val ?? 0) > 0) return asSent(sent);
  return {
    spec: withChanges(sent, { "task.split": { ...split, val: heldOutLinks } }),
    words: ["Where the dataset holds out no edges to choose by, a tenth of those that train is (task.split.val)."],
    numFolds: 1,
    numRows: null,
  };
}
