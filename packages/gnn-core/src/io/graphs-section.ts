import { z } from "zod";
import { usualMissingLabels } from "./missing-labels.ts";
import { reader } from "./relation-section.ts";

const files = z.array(z.string().min(1)).min(1);

const foldFile = z.strictObject({
  files,
  reader: reader.optional(),
  graph: z.string().describe("Column of the graph id"),
  fold: z.string().describe("Column of its fold"),
});
/** A table of graph and fold */
export type FoldFile = z.infer<typeof foldFile>;

/** Columns of a table with a row for each graph, where the dataset is a set of graphs. */
export const graphsSection = z
  .strictObject({
    files,
    reader: reader.optional(),
    id: z.string().describe("Column of the graph id"),
    label: z.string().nullable().default(null).describe("Column of the graph's class; null or empty = unlabelled"),
    missingLabels: z
      .array(z.string())
      .default(usualMissingLabels)
      .describe("Texts of the label column that say that the class is not known, beside the empty cell"),
    targets: z.array(z.string()).default([]).describe("Numeric columns to predict; empty = not known"),
    split: z.string().nullable().default(null).describe("Column holding train, val, test or none of each graph"),
    splitWords: z
      .record(z.string(), z.enum(["train", "val", "test", "none"]))
      .default({})
      .describe("What other words of the split column mean"),
    fold: z
      .string()
      .nullable()
      .default(null)
      .describe("Column of the graph's fold, for cross-validation: a job says which fold is tested"),
    foldFile: foldFile
      .nullable()
      .default(null)
      .describe("A table of graph and fold in place of the fold column; graphs without a row are in none"),
  })
  .refine(({ fold, foldFile: file }) => fold === null || file === null, {
    message: "Folds come from one of fold and foldFile; set only one of them",
    path: ["foldFile"],
  });
export type GraphsSection = z.infer<typeof graphsSection>;

const file = z.string().min(1);
const takenNames = ["graph", "label"];

/** The files of a set of graphs in the layout of the TU Dortmund collection. */
export const tuSection = z
  .strictObject({
    edges: file.describe("DS_A.txt: two numbers of nodes a line"),
    graphIndicator: file.describe("DS_graph_indicator.txt: the graph of every node"),
    graphLabels: file.nullable().default(null).describe("DS_graph_labels.txt: the class of every graph"),
    graphAttributes: file.nullable().default(null).describe("DS_graph_attributes.txt: numbers of every graph"),
    targets: z
      .array(z.string().min(1).max(200))
      .default([])
      .describe("Names of the columns of graphAttributes, in their order"),
    nodeLabels: file.nullable().default(null).describe("DS_node_labels.txt: becomes a feature for each value"),
    nodeAttributes: file.nullable().default(null).describe("DS_node_attributes.txt: features"),
    edgeLabels: file.nullable().default(null).describe("DS_edge_labels.txt: the type of every row of DS_A.txt"),
    edgeAttributes: file.nullable().default(null).describe("DS_edge_attributes.txt: features of every row of DS_A.txt"),
    foldFile: foldFile.nullable().default(null).describe("A table of graph number and fold"),
  })
  .refine(({ graphLabels, graphAttributes }) => graphLabels !== null || graphAttributes !== null, {
    message: "Nothing is known of the graphs; name the file of their labels or of their attributes",
    path: ["graphLabels"],
  })
  .refine(({ graphAttributes, targets }) => (graphAttributes === null) === (targets.length === 0), {
    message: "targets names the columns of graphAttributes; give both or neither",
    path: ["targets"],
  })
  .refine(({ targets }) => new Set([...targets, ...takenNames]).size === targets.length + takenNames.length, {
    message: `Targets have names of their own, other than ${takenNames.join(" and ")}`,
    path: ["targets"],
  });
export type TuSection = z.infer<typeof tuSection>;
