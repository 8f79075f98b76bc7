import { z } from "zod";
import { checkEdgeLabels } from "./check-edge-labels.ts";

/** A reader and its options, where the ending of a file's name does not say it. */
export const reader = z.object({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) });

const column = z.string().min(1);
const someFiles = z.array(column).min(1);
const name = z.string().trim().min(1).max(100);
/** A slash stands between a type and an id where ids of several types are alike. */
export const typeName = name.regex(/^[^/]*$/, "A type is called by a name without a slash");

const relationColumns = z.strictObject({
  source: typeName.describe("Type of the nodes that its edges lead from"),
  name: name.describe("What its edges are called"),
  target: typeName.describe("Type of the nodes that its edges lead to"),
  files: z.array(z.string().min(1)).min(1),
  reader: reader.optional().describe("Left out: chosen by the file name's ending"),
  src: z.string().describe("Column of the source id"),
  dst: z.string().describe("Column of the target id"),
  weight: z.string().nullable().default(null).describe("Column of the edge weight; edges without one weigh 1"),
  label: column
    .optional()
    .describe("Column of each edge's class, for tasks that learn classes of edges, of one relation; empty = not known"),
  targets: z
    .array(column)
    .min(1)
    .optional()
    .describe("Numeric columns of the edges to predict, such as ratings, of that relation; empty = not known"),
  features: z.array(column).min(1).optional().describe("Numeric columns that the prediction reads of each edge"),
  split: column
    .optional()
    .describe("Column holding train, val, test or none of each edge, for its label and for tasks that learn links"),
  splitFiles: z
    .strictObject({ val: someFiles, test: someFiles })
    .optional()
    .describe("Which of the files hold edges that are not to be learnt from, in place of a split column"),
  time: column.optional().describe("Column that says when each edge came to be: numbers, or dates such as 2024-05-31"),
  reverse: z
    .union([z.boolean(), name])
    .default(true)
    .describe(
      "Adds the edges that lead back: true as a relation rev_<name>, a text under that name (its own name: the relation goes both ways), false not at all",
    ),
});

/** Edges of one type, from nodes of one type to nodes of one type. */
export const relation = relationColumns
  .refine(({ src, dst }) => src !== dst, {
    message: "Source and target are the same column, so every edge would lead from an id to itself",
    path: ["dst"],
  })
  .refine(({ src, dst, weight }) => weight !== src && weight !== dst, {
    message: "A column with the ends of edges cannot be their weight too",
    path: ["weight"],
  })
  .superRefine(checkLabelled);
type RelationColumns = z.infer<typeof relationColumns>;
export type RelationSection = z.infer<typeof relation>;

/** Whether something of the edges is to be predicted. */
export function isLabelled({ label, targets }: Pick<RelationSection, "label" | "targets">): boolean {
  return label !== undefined || targets !== undefined;
}

type LabelledColumns = Pick<
  RelationColumns,
  "files" | "src" | "dst" | "weight" | "label" | "targets" | "features" | "split" | "splitFiles" | "time"
>;

/** Features stand beside labels, and nothing that is predicted is read by models. */
function checkLabelled(section: LabelledColumns, context: z.core.$RefinementCtx): void {
  const { files, features = [], split, splitFiles, time } = section;
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (features.length > 0 && !isLabelled(section))
    refuse("features", "It goes with label or targets, which name what is to be predicted of the relation's edges");
  if (split !== undefined && splitFiles !== undefined)
    refuse("splitFiles", "The split of the edges comes from one of split and splitFiles; set only one of them");
  if (!Object.values(splitFiles ?? {}).every((names) => names.every((file) => files.includes(file))))
    refuse("splitFiles", "splitFiles names files that are not among the files of the relation");
  checkEdgeLabels({ ...section, type: null, features, split: split ?? null, time: time ?? null }, context);
}
