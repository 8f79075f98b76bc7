import { z } from "zod";
import type { GraphFolds, LearnableGraph, TaskObjection } from "../components/define-task.ts";
import type { LearnableColumns } from "../io/dataset-labels.ts";
import type { GraphKit } from "../whole-graphs/graph-kit.ts";
import type { GraphHeadChoice } from "../whole-graphs/graph-task.ts";

/** What follows the encoder, and which fold is tested: options that every task on whole graphs has. */
export const graphOptions = {
  readout: z
    .enum(["sum", "mean", "max", "attention"])
    .default("sum")
    .describe("One row for a graph from those of its nodes; sum alone tells how often a row occurs"),
  dim: z.number().int().min(1).max(4096).default(64).describe("Width of the nodes' rows that are read out"),
  hiddenFeats: z.number().int().min(0).max(4096).default(64).describe("Width of the layer behind the readout; 0: none"),
  dropout: z.number().min(0).lt(1).default(0).describe("Share of the graphs' rows that is dropped in training"),
  testFold: z
    .string()
    .nullable()
    .default(null)
    .describe("Fold that is tested, of a dataset with folds; null: the split of the job"),
  valFold: z
    .string()
    .nullable()
    .default(null)
    .describe("Fold that chooses the best epoch; null: the one behind testFold. All others are learnt from"),
} as const;

interface FoldOptions {
  readonly testFold: string | null;
  readonly valFold: string | null;
}

export function foldsOf({ testFold, valFold }: FoldOptions): GraphFolds | null {
  return testFold === null ? null : { test: testFold, val: valFold };
}

interface HeadOptions {
  readonly readout: keyof GraphKit["readouts"];
  readonly dim: number;
  readonly hiddenFeats: number;
  readonly dropout: number;
}

/** What follows the encoder, as the options say it. */
export function headOf(
  { readout, dim, hiddenFeats, dropout }: HeadOptions,
  { readouts }: GraphKit,
): Required<Omit<GraphHeadChoice, "activation">> {
  return { readout: readouts[readout], dim, hiddenFeats, dropout };
}

/** What the columns of a dataset say against a task on its graphs. */
export function graphsObjection(
  { testFold, valFold }: FoldOptions,
  { graphs }: LearnableColumns,
): TaskObjection | null {
  if (!graphs) {
    const remedy = "map the graph of every node and a table of graphs";
    return { option: "type", message: "The dataset is one graph, and no set of graphs", remedy };
  }
  if (testFold === null && valFold !== null) {
    return { option: "valFold", message: "A fold for validation needs a tested one; name it in testFold." };
  }
  if (testFold === null || graphs.hasFolds) return null;
  return { option: "testFold", message: "The dataset has no folds; map a column with the fold of each graph." };
}

/** What the graphs that were found say against the folds. */
export function foldsObjection(options: FoldOptions, { graphs }: LearnableGraph): TaskObjection | null {
  const names = graphs?.folds.map(({ name }) => name) ?? [];
  for (const option of ["testFold", "valFold"] as const) {
    const asked = options[option];
    if (asked === null || names.includes(asked)) continue;
    return { option, message: `There is no fold "${asked}"; there are ${names.slice(0, 20).join(", ")}.` };
  }
  if (options.testFold === null) return null;
  if (options.testFold === options.valFold) {
    return { option: "valFold", message: "One fold cannot be tested and choose the best epoch; name two." };
  }
  if (names.length > 2) return null;
  return { option: "testFold", message: `${names.length} folds leave none to learn from; expected three or more.` };
}

/** Parameters of what follows the encoder: an attention, the hidden layer and the output, with biases. */
export function headParameters(
  { readout, dim, hiddenFeats }: { readonly readout: string; readonly dim: number; readonly hiddenFeats: number },
  outDim: number,
): number {
  const attention = readout === "attention" ? dim + 1 : 0;
  const hidden = hiddenFeats > 0 ? (dim + 1) * hiddenFeats : 0;
  return attention + hidden + ((hiddenFeats > 0 ? hiddenFeats : dim) + 1) * outDim;
}
