import { z } from "zod";
import type { LearnableGraph, TaskObjection } from "../components/define-task.ts";
import type { EdgeHeadChoice } from "../edges/edge-task.ts";
import type { LearnableColumns } from "../io/dataset-labels.ts";
import { type LinkSplitChoice, linkSplitChoice } from "../spec/link-split.ts";
import { splitObjection } from "./edge-split.ts";

/** How edges are split, and what follows the encoder: options that every task on rows of edges has. */
export const edgeOptions = {
  split: linkSplitChoice.describe("Which edges are learnt from, and which are held out to judge by"),
  edgeFeatures: z
    .boolean()
    .default(true)
    .describe("The prediction reads the features of the edge beside the rows of its two ends"),
  dim: z.number().int().min(1).max(4096).default(64).describe("Width of the rows of the nodes"),
  hiddenFeats: z.number().int().min(0).max(4096).default(64).describe("Width of the layer behind the ends; 0: none"),
  dropout: z.number().min(0).lt(1).default(0).describe("Share of what that layer reads that is dropped in training"),
} as const;

interface EdgeOptions {
  readonly split: LinkSplitChoice;
  readonly edgeFeatures: boolean;
  readonly dim: number;
  readonly hiddenFeats: number;
}

/** What follows the encoder, as the options say it. */
export function edgeHeadOf({
  dim,
  hiddenFeats,
  dropout,
}: Pick<EdgeOptions, "dim" | "hiddenFeats"> & { readonly dropout: number }): Required<EdgeHeadChoice> {
  return { dim, hiddenFeats, dropout };
}

/** What the columns of a dataset say against a task on its edges. */
export function edgesObjection(
  { split }: EdgeOptions,
  { labelledEdges: edges }: LearnableColumns,
): TaskObjection | null {
  if (!edges) {
    const remedy = "map a label or a number to predict among the columns of one of them";
    return { option: "type", message: "The edges have a table for each relation, none of which has labels", remedy };
  }
  return splitObjection(split, edges);
}

/** What the rows that were found say against the split. */
export function edgeRowsObjection({ edgeRows }: LearnableGraph): TaskObjection | null {
  if (edgeRows) return null;
  const message = "The graph was built without labels of its edges; confirm the columns of the dataset again.";
  return { option: "target", message };
}

/** Parameters of what follows the encoder: the hidden layer and the output, with biases. */
export function edgeHeadParameters(
  { dim, hiddenFeats, edgeFeatures }: EdgeOptions,
  { edgeRows }: LearnableGraph,
  outDim: number,
): number {
  const width = 2 * dim + (edgeFeatures ? (edgeRows?.featureDim ?? 0) : 0);
  const hidden = hiddenFeats > 0 ? (width + 1) * hiddenFeats : 0;
  return hidden + ((hiddenFeats > 0 ? hiddenFeats : width) + 1) * outDim;
}
