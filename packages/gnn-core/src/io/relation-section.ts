import { z } from "zod";

/** A reader and its options, where the ending of a file's name does not say it. */
export const reader = z.object({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) });

const name = z.string().trim().min(1).max(100);
/** A slash stands between a type and an id where ids of several types are alike. */
export const typeName = name.regex(/^[^/]*$/, "A type is called by a name without a slash");

/** Edges of one type, from nodes of one type to nodes of one type. */
export const relation = z
  .strictObject({
    source: typeName.describe("Type of the nodes that its edges lead from"),
    name: name.describe("What its edges are called"),
    target: typeName.describe("Type of the nodes that its edges lead to"),
    files: z.array(z.string().min(1)).min(1),
    reader: reader.optional().describe("Left out: chosen by the file name's ending"),
    src: z.string().describe("Column of the source id"),
    dst: z.string().describe("Column of the target id"),
    weight: z.string().nullable().default(null).describe("Column of the edge weight; edges without one weigh 1"),
    reverse: z
      .union([z.boolean(), name])
      .default(true)
      .describe(
        "Adds the edges that lead back: true as a relation rev_<name>, a text under that name (its own name: the relation goes both ways), false not at all",
      ),
  })
  .refine(({ src, dst }) => src !== dst, {
    message: "Source and target are the same column, so every edge would lead from an id to itself",
    path: ["dst"],
  })
  .refine(({ src, dst, weight }) => weight !== src && weight !== dst, {
    message: "A column with the ends of edges cannot be their weight too",
    path: ["weight"],
  });
export type RelationSection = z.infer<typeof relation>;
