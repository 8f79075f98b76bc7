import { z } from "zod";
import { reader } from "./relation-section.ts";

const files = z.array(z.string().min(1)).min(1);
const column = z.string().min(1);

const idTable = z.strictObject({
  files,
  reader: reader.optional().describe("Left out: chosen by the file name's ending"),
  id: column.describe("Column of the node id"),
});

/** What becomes of a row whose id no node has. */
const unknown = z
  .enum(["error", "drop"])
  .optional()
  .describe("What becomes of rows whose id is not among the nodes: refused, or left out; left out: error");

/** A further table of the same nodes: each of its rows has the id of one. */
export const joinedTable = idTable.extend({
  columns: z
    .array(z.union([column, z.strictObject({ column, as: column.describe("How it is called beside the others") })]))
    .min(1)
    .optional()
    .describe(
      'Columns that the nodes get of it, such as ["age", {"column": "label", "as": "job"}]; left out: all but the id, as they are called',
    ),
  unknown,
});
export type JoinedTableSection = z.infer<typeof joinedTable>;

/** A list of ids, a row for each node of one side of the split. */
const idList = idTable.extend({ unknown });
export type IdListSection = z.infer<typeof idList>;

export const splitFiles = z.strictObject({
  train: idList.describe("Lists of the nodes to learn from"),
  val: idList.optional().describe("… of those that choose the best model"),
  test: idList.optional().describe("… of those that judge it"),
});
export type SplitFilesSection = z.infer<typeof splitFiles>;

const sides = ["train", "val", "test"] as const;
export type SplitSide = (typeof sides)[number];

/** The lists of ids that there are, by their side */
export function idListsOf({ splitFiles: lists }: { readonly splitFiles?: SplitFilesSection | undefined }) {
  return sides.flatMap((side): [SplitSide, IdListSection][] => {
    const list = lists?.[side];
    return list ? [[side, list]] : [];
  });
}

/** The columns that a join names, by the name that the node table knows them by; null: all but the id. */
export function namedColumns({ columns }: Pick<JoinedTableSection, "columns">): ReadonlyMap<string, string> | null {
  if (!columns) return null;
  return new Map(columns.map((one) => (typeof one === "string" ? [one, one] : [one.as, one.column])));
}

interface JoiningNodes {
  readonly id: string;
  readonly join?: readonly JoinedTableSection[] | undefined;
}

/** A name stands for one column: those that joins list are told apart, and the id of the nodes is their own. */
export function checkJoins({ id, join = [] }: JoiningNodes, context: z.core.$RefinementCtx): void {
  const seen = new Set([id]);
  for (const [i, { columns = [] }] of join.entries()) {
    for (const [k, one] of columns.entries()) {
      const name = typeof one === "string" ? one : one.as;
      if (seen.has(name)) {
        const whose = name === id ? "the id of the nodes" : "a column of a join";
        const message = `"${name}" is ${whose} already; give this one another name, as in {"column": "label", "as": "job"}`;
        context.addIssue({ code: "custom", path: ["join", i, "columns", k], message });
      }
      seen.add(name);
    }
  }
}
