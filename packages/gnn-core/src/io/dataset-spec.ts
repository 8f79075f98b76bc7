import { z } from "zod";
import { checkEdgeLabels } from "./check-edge-labels.ts";
import { checkGraphs } from "./check-graphs.ts";
import { checkTypes } from "./check-types.ts";
import { graphsSection, tuSection } from "./graphs-section.ts";
import { checkJoins, joinedTable, splitFiles } from "./join-section.ts";
import { usualMissingLabels } from "./missing-labels.ts";
import { nodeTypeRule } from "./node-type-rule.ts";
import { reader, relation, typeName } from "./relation-section.ts";

const files = z.array(z.string().min(1)).min(1);

const edgeColumns = z.strictObject({
  files,
  reader: reader.optional().describe("Left out: chosen by the file name's ending"),
  src: z.string().describe("Column of the source id"),
  dst: z.string().describe("Column of the destination id"),
  weight: z.string().nullable().default(null).describe("Column of the edge weight"),
  type: z.string().nullable().default(null).describe("Column of the edge type"),
  reverseTypes: z
    .boolean()
    .default(false)
    .describe("Not directed: the edges that lead back are of types of their own, rev_cites beside cites"),
  features: z.array(z.string()).default([]).describe("Numeric columns kept as edge features"),
  split: z
    .string()
    .nullable()
    .default(null)
    .describe("Column holding train, val, test or none of each edge, for tasks that learn which nodes are linked"),
  splitFiles: z
    .strictObject({
      val: files.describe("Files of edges that choose the best model"),
      test: files.describe("Files of edges that judge it"),
    })
    .nullable()
    .default(null)
    .describe("Which of the files hold edges that are not to be learnt from, in place of a split column"),
  negatives: z
    .strictObject({
      val: files.describe("Files of pairs without a link beside the edges that choose the best model"),
      test: files.describe("Files of pairs without a link beside the edges that judge it"),
    })
    .optional()
    .describe(
      "Pairs that held-out links are judged against, in columns that are called as src, dst and type of the edges",
    ),
  time: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "Column that says when each edge came to be: numbers, such as seconds since 1970, or dates and times, of UTC where they name no zone",
    ),
  label: z
    .string()
    .min(1)
    .optional()
    .describe("Column of each edge's class, for tasks that learn classes of edges; empty = not known"),
  targets: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Numeric columns of the edges to predict, such as ratings; empty = not known"),
  graph: z
    .string()
    .optional()
    .describe("Column of each edge's graph, where ids of nodes are unique in their graph alone: 3 of graph 7 is 7/3"),
});

const edges = edgeColumns
  .refine(({ src, dst }) => src !== dst, {
    message: "Source and destination are the same column, so every edge would lead from a node to itself",
    path: ["dst"],
  })
  .refine(({ src, dst, weight, type }) => ![weight, type].some((column) => column === src || column === dst), {
    message: "A column with the ends of edges cannot be their weight or type too",
    path: ["weight"],
  })
  .refine(({ type, reverseTypes }) => type !== null || !reverseTypes, {
    message: "Reverse types need a column of the edge type; name it in type",
    path: ["reverseTypes"],
  })
  .refine(({ split, splitFiles }) => split === null || splitFiles === null, {
    message: "The split of the edges comes from one of split and splitFiles; set only one of them",
    path: ["splitFiles"],
  })
  .refine(
    ({ files, splitFiles }) =>
      Object.values(splitFiles ?? {})
        .flat()
        .every((name) => files.includes(name)),
    {
      message: "splitFiles names files that are not among the files of the edges",
      path: ["splitFiles"],
    },
  )
  .refine(
    ({ files, negatives }) =>
      Object.values(negatives ?? {})
        .flat()
        .every((name) => !files.includes(name)),
    { message: "negatives names a file of edges, and its pairs are no links", path: ["negatives"] },
  )
  .refine(({ negatives, graph }) => negatives === undefined || graph === undefined, {
    message: "Pairs without a link are of one graph, and the edges are those of a set of graphs",
    path: ["negatives"],
  })
  .superRefine(checkEdgeLabels);

const labelFile = z.strictObject({
  files,
  reader: reader.optional(),
  node: z.string().describe("Column of the node id"),
  label: z.string().describe("Column of the label"),
});

const missingFeature = z.strictObject({
  fill: z.union([z.literal("mean"), z.number()]).describe("mean: that of the column's known values, over all nodes"),
  indicator: z.boolean().default(true).describe("Adds a column behind it that is 1 where the value is missing, else 0"),
});
/** What is taken where a feature is missing. */
export type MissingFeature = z.infer<typeof missingFeature>;

const nodes = z.strictObject({
  files,
  reader: reader.optional(),
  id: z.string().describe("Column of the node id"),
  graph: z
    .string()
    .optional()
    .describe("Column of the graph that each node is of, where the dataset is a set of graphs; nodes sorted by it"),
  repeatedIds: z
    .enum(["error", "last"])
    .optional()
    .describe(
      "What becomes of an id that several rows have: refused, or the last row in the order of files replaces the earlier ones; left out: error",
    ),
  type: z.string().nullable().default(null).describe("Column of the node type, which parts can be balanced by"),
  typeRule: nodeTypeRule
    .optional()
    .describe(
      "Nodes have several labels in the column of the type, and this says which is it; left out: a cell is one",
    ),
  label: z.string().nullable().default(null).describe("Column of the class; null or empty = unlabelled"),
  labelSeparator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Cuts a cell of the label column into the several labels of the node"),
  labelColumns: z
    .array(z.string())
    .default([])
    .describe("Columns of 0 and 1, one for each label a node may have; all empty = unlabelled"),
  labelFile: labelFile
    .nullable()
    .default(null)
    .describe("A table of node and label, one row for each label of a node; nodes without a row are unlabelled"),
  targets: z.array(z.string()).default([]).describe("Numeric columns to predict; empty = not known"),
  missingLabels: z
    .array(z.string())
    .default(usualMissingLabels)
    .describe("Texts of the label column that say that the class is not known, beside the empty cell"),
  split: z.string().nullable().default(null).describe("Column holding train, val, test or none"),
  splitWords: z
    .record(z.string(), z.enum(["train", "val", "test", "none"]))
    .default({})
    .describe('What other words of the split column mean, such as {"0": "train", "1": "val", "2": "test"}'),
  splitMasks: z
    .strictObject({
      train: z.string().describe("Column that is 1 or true for the nodes to learn from"),
      val: z.string().nullable().default(null).describe("… for those that choose the best model"),
      test: z.string().nullable().default(null).describe("… for those that judge it"),
    })
    .nullable()
    .default(null)
    .describe("Three columns of 0 and 1 in place of one split column"),
  splitFiles: splitFiles
    .optional()
    .describe("Files that list the ids of each side, in place of a split column; nodes in none of them have no side"),
  join: z
    .array(joinedTable)
    .min(1)
    .optional()
    .describe("Further tables of the same nodes, whose columns are joined by id; rows in any order"),
  features: z
    .union([
      z
        .strictObject({
          columns: z.array(z.string()).describe("Columns of numbers, or of lists of numbers, in their order"),
          widths: z
            .record(z.string(), z.int().min(1))
            .default({})
            .describe('How many numbers the columns of lists have in each row, such as {"embedding": 128}'),
          missing: z
            .record(z.string(), missingFeature)
            .default({})
            .describe(
              'What is taken where a column is empty or says NA, null or the like, such as {"age": {"fill": "mean"}}; of the other columns such cells are refused',
            ),
          oneHot: z
            .array(z.string())
            .min(1)
            .optional()
            .describe("Columns of a few values, such as kinds of atoms: each value becomes a column of 0 and 1"),
          multiHot: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Column of lists of indices, such as [12, 55]: behind the other features, a node has 1 at these places and 0 at the rest, kept sparse; widths says how many there are, else the largest index does",
            ),
        })
        .refine(({ columns, oneHot, multiHot }) => columns.length > 0 || oneHot || multiHot !== undefined, {
          message: "No column is named; name at least one, or set features to null",
          path: ["columns"],
        }),
      z.strictObject({
        file: z.string().describe("Matrix (.npz CSR or .npy) with one row per node row, in file order"),
      }),
    ])
    .nullable()
    .default(null),
});

/** A node's labels come from one place. */
const nodesWithOneLabelling = nodes
  .refine(
    ({ label, labelColumns, labelFile: file }) =>
      [label !== null, labelColumns.length > 0, file !== null].filter(Boolean).length <= 1,
    { message: "Labels come from one of label, labelColumns and labelFile; set only one of them", path: ["label"] },
  )
  .refine(({ split, splitMasks }) => split === null || splitMasks === null, {
    message: "The split comes from one of split and splitMasks; set only one of them",
    path: ["splitMasks"],
  })
  .refine(({ split, splitMasks, splitFiles: lists }) => !lists || (split === null && splitMasks === null), {
    message: "The split comes from one of split, splitMasks and splitFiles; set only one of them",
    path: ["splitFiles"],
  })
  .superRefine(checkJoins)
  .refine(({ label, labelSeparator }) => labelSeparator === null || label !== null, {
    message: "labelSeparator cuts the cells of the label column; name it in label",
    path: ["labelSeparator"],
  })
  .refine(({ type, typeRule }) => typeRule === undefined || type !== null, {
    message: "typeRule says which label of a cell of the type column is the type; name the column in type",
    path: ["typeRule"],
  })
  .refine(({ repeatedIds, features }) => repeatedIds !== "last" || features === null || !("file" in features), {
    message:
      "The features are the rows of a matrix, one for each row of the nodes, so that no row can be replaced; set it to error, or take features from columns",
    path: ["repeatedIds"],
  });

/** What a column says of a node is either to be predicted or to be learned from. */
const nodesWithoutLeaks = nodesWithOneLabelling.superRefine((section, context) => {
  const chosen = section.features && "columns" in section.features ? section.features : null;
  const numbers = chosen?.columns ?? [];
  const lists = chosen?.multiHot === undefined ? [] : [chosen.multiHot];
  const features = [...numbers, ...(chosen?.oneHot ?? []), ...lists];
  if (lists.some((column) => features.indexOf(column) < features.length - 1)) {
    const message = `"${lists[0]}" is read as lists of indices; leave it out of columns and oneHot`;
    context.addIssue({ code: "custom", path: ["features", "multiHot"], message });
  }
  const others: readonly (readonly [role: string, columns: readonly (string | null)[]])[] = [
    ["the label", [section.label]],
    ["a label", section.labelColumns],
    ["a target", section.targets],
    ["the split", [section.split, ...Object.values(section.splitMasks ?? {})]],
    ["the id", [section.id]],
    ["the graph", [section.graph ?? null]],
  ];
  for (const setting of ["widths", "missing"] as const) {
    const named = section.features && "columns" in section.features ? section.features[setting] : {};
    const sized = setting === "widths" ? [...numbers, ...lists] : numbers;
    for (const column of Object.keys(named).filter((name) => !sized.includes(name))) {
      const message = `"${column}" is not among the feature columns; name it in columns, or leave it out of ${setting}`;
      context.addIssue({ code: "custom", path: ["features", setting, column], message });
    }
  }
  for (const [role, columns] of others) {
    const both = columns.find((column) => column !== null && features.includes(column));
    if (both === undefined || both === null) continue;
    const at = features.indexOf(both);
    const numColumns = numbers.length;
    const ofMany = at < numColumns ? ["columns", at] : ["oneHot", at - numColumns];
    const path = ["features", ...(lists.includes(both) ? ["multiHot"] : ofMany)];
    const message = `The column "${both}" is ${role} already: a model that reads it would only repeat it. Leave it out of the features`;
    context.addIssue({ code: "custom", path, message });
  }
});

const datasetSections = z.strictObject({
  version: z.literal(1).default(1),
  edges: edges.nullable().default(null).describe("One table of edges; left out: relations says where edges are"),
  nodes: nodesWithoutLeaks.nullable().default(null).describe("Left out: the nodes are the ids of the edges"),
  nodeTypes: z
    .record(typeName, nodesWithoutLeaks)
    .nullable()
    .default(null)
    .describe("Files of each type of node by its name, in place of nodes; an id has to be unique in its type alone"),
  relations: z
    .array(relation)
    .min(1)
    .nullable()
    .default(null)
    .describe("Files of each type of edge, in place of edges: which types of node it joins, and how it is called"),
  graphs: graphsSection.optional().describe("A table with a row for each graph, where the dataset is a set of graphs"),
  tu: tuSection.optional().describe("Files of the TU Dortmund layout, in place of edges, nodes and graphs"),
  directed: z.boolean().default(false).describe("false: each row is read in both directions"),
  duplicates: z.enum(["drop", "keep", "error"]).default("drop"),
  selfLoops: z.enum(["keep", "drop"]).default("drop"),
  missingNodes: z
    .enum(["error", "add", "drop"])
    .default("error")
    .describe("An edge names an id that is not among the nodes"),
});

/** How the uploaded files become a graph; confirmed by the user after the preview. */
export const datasetSpec = datasetSections
  .refine(({ directed, edges }) => !(directed && edges?.reverseTypes), {
    message:
      "reverseTypes names the edges that lead back, and with directed: true none are added; set directed to false, or leave reverseTypes out",
    path: ["edges", "reverseTypes"],
  })
  .superRefine(checkTypes)
  .superRefine(checkGraphs);
export type DatasetSpec = z.infer<typeof datasetSpec>;
export type DatasetSpecInput = z.input<typeof datasetSpec>;

/** Columns of a file of edges */
export type EdgesSection = z.infer<typeof edgeColumns>;
/** Columns of a file of nodes */
export type NodesSection = z.infer<typeof nodes>;
