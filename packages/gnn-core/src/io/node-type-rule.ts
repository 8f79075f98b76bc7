import { z } from "zod";

/** Which of the labels in a cell is a node's type, where nodes have several: `Person;Actor`, as Neo4j writes them. */
export const nodeTypeRule = z.strictObject({
  separator: z.string().min(1).default(";").describe("Cuts the cell into labels"),
  map: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe('The type of a combination, whose labels may stand in any order, such as {"Person;Actor": "Actor"}'),
  prefer: z
    .array(z.string().min(1))
    .default([])
    .describe("Without an entry in map, the type is the first of these that the node has; else its first label"),
});
export type NodeTypeRule = z.infer<typeof nodeTypeRule>;

/** The labels of a cell, each once */
export function labelsIn(cell: string, separator: string): string[] {
  return [...new Set(cell.split(separator).map((label) => label.trim()))].filter((label) => label !== "");
}
